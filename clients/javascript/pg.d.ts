/** Makes node-postgres return luuid[] as arrays of strings. For each connection of a pool: new Pool({ onConnect: registerLuuid }). */
export function registerLuuid(client: {
    query(text: string): Promise<any>;
    setTypeParser(oid: number, parser: any): void;
    getTypeParser(oid: number): any;
}): Promise<void>;
