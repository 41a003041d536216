import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.*;
import org.postgresql.util.PGobject;

/** JDBC: ids as java.util.UUID, as text and in binary, one by one and in batches, in a luuid column and a uuid column. */
public class TestJdbc {
    private static final UUID id = UUID.fromString("20be0ffc-314a-bd53-7a50-013a65ca76d2");
    private static final OffsetDateTime time = OffsetDateTime.parse("2012-10-15T18:58:18.450Z");

    private interface Step {
        void run() throws SQLException;
    }

    /** Ways to talk to the server about a table: binary from the first call, never, without types, and what rewrites batches. */
    private final String table;
    private final String option;
    private final Connection connection;

    private TestJdbc(String table, String option) throws SQLException {
        this.table = table;
        this.option = option;
        Map<String, String> environment = System.getenv();
        Properties properties = new Properties();
        properties.setProperty("user", environment.get("PGUSER"));
        properties.setProperty("password", environment.getOrDefault("PGPASSWORD", ""));
        properties.setProperty(option.split("=")[0], option.split("=")[1]);
        connection = DriverManager.getConnection("jdbc:postgresql://" + environment.get("PGHOST") + ":"
                + environment.get("PGPORT") + "/" + environment.get("PGDATABASE"), properties);
    }

    private String name() {
        return table + " " + option.replace("=", " ");
    }

    private void own(String what, Object got, Object expected) {
        System.out.println(String.join("\t", "own", name() + ": " + what, got.toString(), expected.toString()));
    }

    private static String stateOf(Step step) {
        try {
            step.run();
            return "none";
        } catch (SQLException error) {
            return error.getSQLState();
        }
    }

    private static List<String> textsOf(ResultSet rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
            texts.add(rows.getObject(1).toString());
        }
        return texts;
    }

    private List<String> rows(String statement, Object... parameter) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(statement)) {
            if (parameter.length > 0) {
                prepared.setObject(1, parameter[0]);
            }
            return textsOf(prepared.executeQuery());
        }
    }

    private List<String> answer(String kind, String statement, String... values) throws SQLException {
        UUID[] ids = kind.matches("each|ids?") ? Arrays.stream(values).map(UUID::fromString).toArray(UUID[]::new) : null;
        switch (kind) {
            case "id":
                return rows(statement, ids[0]);
            case "ids":
                return rows(statement, (Object) ids);
            case "time":
                return rows(statement, OffsetDateTime.parse(values[0]));
            case "text":
                return rows(statement, values[0]);
            case "each":
                try (PreparedStatement insert = connection.prepareStatement(statement)) {
                    for (UUID id : ids) {
                        insert.setObject(1, id);
                        insert.addBatch();
                    }
                    insert.executeBatch();
                }
                return List.of();
            default:
                return rows(statement);
        }
    }

    private void checkGeneratedKeys() throws SQLException {
        List<String> keys;
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " (what) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int n = 0; n < 10; n++) {
                insert.setString(1, "opened");
                insert.addBatch();
            }
            insert.executeBatch();
            keys = textsOf(insert.getGeneratedKeys());
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " (what) VALUES ('opened')", new String[] {"id"})) {
            insert.executeUpdate();
            ResultSet row = insert.getGeneratedKeys();
            row.next();
            keys.add(table.equals("event") ? row.getString("id") : row.getObject("id", UUID.class).toString());
        }
        own("generated keys come back", keys, rows("SELECT id::text FROM " + table + " ORDER BY id::luuid"));
    }

    private void check() throws SQLException {
        connection.createStatement().execute("TRUNCATE " + table);
        checkGeneratedKeys();
        connection.createStatement().execute("TRUNCATE " + table);
        answer("each", "INSERT INTO " + table + " (id) VALUES (?)", id.toString());

        try (PreparedStatement select = connection.prepareStatement(
                "SELECT count(*) FROM " + table + " WHERE id >= ?::timestamptz AND id = ?")) {
            select.setTimestamp(1, Timestamp.from(time.toInstant()));
            select.setObject(2, id.toString(), Types.OTHER);
            own("text and a Timestamp, with their types", textsOf(select.executeQuery()), List.of(1));
        }
        // The simple protocol has no types to send.
        if (!option.equals("preferQueryMode=simple")) {
            String where = "SELECT id FROM " + table + " WHERE id ";
            own("text without its type", stateOf(() -> rows(where + "= ?", id.toString())), "42883");
            own("a Timestamp without its type", stateOf(() -> rows(where + ">= ?", Timestamp.from(time.toInstant()))), "22P02");
        }

        UUID[] ids = {id};
        own("an array of the connection's", rows("SELECT id FROM " + table + " WHERE id = ANY (?)",
                connection.createArrayOf("uuid", ids)), List.of(id));
        ResultSet row = connection.createStatement().executeQuery("SELECT array_agg(id)::uuid[], uuid_send(min(id::luuid)::uuid) FROM " + table);
        row.next();
        own("an array comes back", Arrays.asList((Object[]) row.getArray(1).getArray()), List.of(id));
        own("bytes", HexFormat.of().formatHex(row.getBytes(2)), id.toString().replace("-", ""));

        if (table.equals("event")) {
            row = connection.createStatement().executeQuery("SELECT id FROM event");
            row.next();
            ResultSet uncast = row;
            own("a luuid that is not cast", row.getObject("id").getClass(), PGobject.class);
            own("... is no UUID", refuses(() -> uncast.getObject("id", UUID.class)), true);
            own("... but text", UUID.fromString(row.getString("id")), id);
            UUID made = Events.insert(connection, "opened");
            own("the documentation's methods", Events.since(connection, time), List.of(id, made));
        }
    }

    private static boolean refuses(Step step) throws SQLException {
        try {
            step.run();
            return false;
        } catch (ClassCastException error) {
            return true;
        }
    }

    private void checkFromString() throws Exception {
        for (String version : List.of("b", "8", "7")) {
            connection.createStatement().execute("SET luuid.version = " + (version.equals("8") ? "8" : "b"));
            List<String> ids = rows("SELECT luuid_generate" + (version.equals("7") ? "_v7" : "") + "()::text FROM generate_series(1, 500)");
            own("fromString, version " + version, ids.stream().allMatch(id -> id.startsWith(version, 14) && UUID.fromString(id).toString().equals(id)), true);
        }
        String documented = Files.readString(Path.of("../../../doc/drivers.md"));
        own("fromString is documented", documented.contains("| Java `UUID.fromString` | yes | yes | yes |"), true);
    }

    /** Answers programs.py. */
    public static void main(String[] arguments) throws Exception {
        Map<String, TestJdbc> drivers = new HashMap<>();
        for (String table : List.of("event", "legacy")) {
            for (String option : List.of("prepareThreshold=-1", "binaryTransfer=false", "preferQueryMode=simple",
                    "reWriteBatchedInserts=true")) {
                TestJdbc driver = new TestJdbc(table, option);
                driver.check();
                drivers.put(driver.name(), driver);
                System.out.println(String.join("\t", "sql", driver.name(), "mark=?", "time_mark=?", "chosen=id::uuid",
                        "order=" + table + ".id::luuid"));
            }
        }
        drivers.values().iterator().next().checkFromString();
        System.out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null;) {
            String[] words = line.split("\t");
            try {
                TestJdbc driver = drivers.get(words[0]);
                System.out.println(String.join("\t", driver.answer(words[1], words[2], Arrays.copyOfRange(words, 3, words.length))));
            } catch (SQLException error) {
                System.out.println("error\t" + error.getSQLState());
            }
        }
    }
}
