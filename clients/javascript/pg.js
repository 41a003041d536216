// node-postgres: returns luuid[] as arrays of strings; a luuid is a string without this. Call it for each connection, since the type's
// OID differs from database to database. The extension can be newer than the connection, so that it asks for the OID again when results
// have a type that this connection has not had before.
export const registerLuuid = async (client) => {
    const query = client.query.bind(client);
    const parse = client.getTypeParser(2951); // of uuid[]
    const asked = new Map(); // by the OID of a type, when it was met first: a promise
    let array; // the OID of luuid[]
    const ask = async () => {
        const { rows } = await query("SELECT oid, typarray FROM pg_type WHERE oid = to_regtype('luuid')");
        for (const { oid, typarray } of rows) {
            client.setTypeParser((array = typarray), parse);
            asked.set(oid).set(array);
        }
    };
    await ask();
    const know = (oid) => {
        const isOfUser = oid >= 16384;
        if (isOfUser && !asked.has(oid))
            asked.set(
                oid,
                ask().catch(() => asked.delete(oid)),
            );
        return asked.get(oid);
    };
    const parsed = async (results) => {
        for (const { fields, rows } of [results].flat()) {
            const columns = Array.isArray(rows[0]) ? fields : new Map(fields.map((field) => [field.name, field]));
            for (const [key, { dataTypeID }] of columns.entries()) {
                await know(dataTypeID);
                if (dataTypeID !== array) continue;
                for (const row of rows) if (typeof row[key] === "string") row[key] = parse(row[key]);
            }
        }
        return results;
    };
    client.query = (config, ...rest) => {
        if (config?.submit || config?.types || config?.callback) return query(config, ...rest); // a cursor, a stream, or its own types
        const callback = rest.find((argument) => typeof argument === "function");
        const results = query(config, ...rest.filter((argument) => argument !== callback)).then(parsed);
        if (!callback) return results;
        results.then((results) => callback(null, results), callback);
    };
};
