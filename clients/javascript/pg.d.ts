/** Of node-postgres: results of type luuid[] as arrays of strings. Once for each connection: new Pool({ onConnect: registerLuuid }). */
export function registerLuuid(client: {
    query(text: string): Promise<any>;
    setTypeParser(oid: number, parser: any): void;
    getTypeParser(oid: number): any;
}): Promise<void>;
