// Drizzle: a column of type luuid. As a key that the application generates: luuid("id").primaryKey().$defaultFn(() => generateV7())
import { customType } from "drizzle-orm/pg-core";

export const luuid = customType({ dataType: () => "luuid" });
