import type { customType } from "drizzle-orm/pg-core";

/** A column of type luuid; luuid("id").primaryKey().$defaultFn(() => generate()) is a key that the application makes. */
export const luuid: ReturnType<typeof customType<{ data: string; driverData: string }>>;
