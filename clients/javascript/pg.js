// node-postgres: results of type luuid[] as arrays of strings; ids need nothing. Once for each connection, since the
// type's OID differs from database to database.
export const registerLuuid = async (client) => {
    const { rows: [{ array }] } = await client.query("SELECT typarray AS array FROM pg_type WHERE oid = 'luuid'::regtype");
    client.setTypeParser(array, client.getTypeParser(2951)); // as uuid[]
};
