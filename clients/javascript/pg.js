// node-postgres: returns luuid[] as arrays of strings; a luuid is a string without this. Call it for each connection, since the
// type's OID differs from database to database. It does nothing if the database has no luuid.
export const registerLuuid = async (client) => {
    const { rows } = await client.query("SELECT typarray AS array FROM pg_type WHERE oid = to_regtype('luuid')");
    for (const { array } of rows) client.setTypeParser(array, client.getTypeParser(2951)); // as uuid[]
};
