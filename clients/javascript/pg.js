// node-postgres: results of type luuid[] as arrays of strings; ids need nothing. Once for each connection, since the
// type's OID differs from database to database; without the extension, as before it is created, nothing is registered.
export const registerLuuid = async (client) => {
    const { rows } = await client.query("SELECT typarray AS array FROM pg_type WHERE oid = to_regtype('luuid')");
    for (const { array } of rows) client.setTypeParser(array, client.getTypeParser(2951)); // as uuid[]
};
