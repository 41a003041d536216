// Drizzle: a column of type luuid whose ids the application makes: luuid("id").primaryKey().$defaultFn(() => generate())
import { customType } from "drizzle-orm/pg-core";

export const luuid = customType({ dataType: () => "luuid" });
