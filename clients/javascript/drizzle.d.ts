import type { customType } from "drizzle-orm/pg-core";

/** A column of type luuid. As a key that the application generates: luuid("id").primaryKey().$defaultFn(() => generateV7()). */
export const luuid: ReturnType<typeof customType<{ data: string; driverData: string }>>;
