import static org.junit.Assert.*;
import static org.junit.Assume.*;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.*;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.postgresql.util.PGobject;

/** JDBC: ids as java.util.UUID, as text and in binary, one by one and in batches, in a luuid column and a uuid column. */
@RunWith(Parameterized.class)
public class TestJdbc {
    /** Ways to talk to the server: binary from the first call, never, and what rewrites batches. */
    @Parameterized.Parameters(name = "{0} {1}")
    public static List<Object[]> ways() {
        List<Object[]> ways = new ArrayList<>();
        for (String table : List.of("event", "legacy")) {
            for (String option : List.of("prepareThreshold=-1", "binaryTransfer=false", "preferQueryMode=simple",
                    "reWriteBatchedInserts=true")) {
                ways.add(new Object[] {table, option});
            }
        }
        return ways;
    }

    @Parameterized.Parameter(0)
    public String table;

    @Parameterized.Parameter(1)
    public String option;

    private final List<UUID> ids = new ArrayList<>();
    private final List<OffsetDateTime> times = new ArrayList<>();
    private Connection connection;
    private String chronological;

    @Before
    public void connect() throws Exception {
        for (String line : Files.readAllLines(Path.of(System.getenv("LUUID_IDS")))) {
            String[] fields = line.split("\t", -1);
            ids.add(UUID.fromString(fields[0]));
            times.add(fields[1].isEmpty() ? null : OffsetDateTime.parse(fields[1]));
        }
        Map<String, String> environment = System.getenv();
        Properties properties = new Properties();
        properties.setProperty("user", environment.get("PGUSER"));
        properties.setProperty("password", environment.getOrDefault("PGPASSWORD", ""));
        properties.setProperty(option.split("=")[0], option.split("=")[1]);
        connection = DriverManager.getConnection("jdbc:postgresql://" + environment.get("PGHOST") + ":"
                + environment.get("PGPORT") + "/" + environment.get("PGDATABASE"), properties);
        run("TRUNCATE " + table);
        chronological = " ORDER BY " + table + ".id" + (table.equals("event") ? "" : "::luuid");
    }

    @After
    public void close() throws SQLException {
        connection.close();
    }

    private void run(String statement) throws SQLException {
        try (Statement run = connection.createStatement()) {
            run.execute(statement);
        }
    }

    /** The ids that a condition with parameters finds, in order of time. */
    private List<UUID> found(String condition, Object... parameters) throws SQLException {
        String query = "SELECT id::uuid FROM " + table + " WHERE " + condition + chronological;
        try (PreparedStatement select = connection.prepareStatement(query)) {
            for (int n = 0; n < parameters.length; n++) {
                select.setObject(n + 1, parameters[n]);
            }
            List<UUID> found = new ArrayList<>();
            ResultSet row = select.executeQuery();
            while (row.next()) {
                found.add(row.getObject(1, UUID.class));
            }
            return found;
        }
    }

    private void insertBatch() throws SQLException {
        List<UUID> shuffled = new ArrayList<>(ids);
        Collections.sort(shuffled);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " (id) VALUES (?)")) {
            for (UUID id : shuffled) {
                insert.setObject(1, id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @Test
    public void clientIdsAreStoredAndReadBack() throws SQLException {
        insertBatch();
        assertEquals(ids, found("true"));
        ResultSet row = connection.createStatement()
                .executeQuery("SELECT uuid_send(id::uuid) FROM " + table + chronological);
        for (UUID id : ids) {
            assertTrue(row.next());
            assertArrayEquals(bytesOf(id), row.getBytes(1));
        }
    }

    @Test
    public void serverIdsComeBackAsMade() throws SQLException {
        List<UUID> made = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            made.add(table.equals("event") ? Events.insert(connection, "opened") : generatedKey());
        }
        assertTrue(made.stream().allMatch(id -> id.version() == 7));
        assertEquals(made, found("true"));
    }

    private UUID generatedKey() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " (what) VALUES ('opened')", new String[] {"id"})) {
            insert.executeUpdate();
            ResultSet keys = insert.getGeneratedKeys();
            assertTrue(keys.next());
            return table.equals("event") ? UUID.fromString(keys.getString("id")) : keys.getObject("id", UUID.class);
        }
    }

    @Test
    public void generatedKeysOfABatchComeBack() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " (what) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int n = 0; n < 10; n++) {
                insert.setString(1, "opened");
                insert.addBatch();
            }
            insert.executeBatch();
            List<UUID> made = new ArrayList<>();
            for (ResultSet keys = insert.getGeneratedKeys(); keys.next();) {
                made.add(UUID.fromString(keys.getString("id")));
            }
            assertEquals(10, made.size());
            assertEquals(made, found("true"));
        }
        assertEquals(List.of(generatedKey()), found("what = 'opened'").subList(10, 11));
    }

    @Test
    public void anIdFindsItsRow() throws SQLException {
        insertBatch();
        for (UUID id : ids) {
            assertEquals(List.of(id), found("id = ?", id));
        }
        run("DELETE FROM " + table + " WHERE id = '" + ids.get(0) + "'");
        assertEquals(List.of(), found("id = ?", ids.get(0)));
    }

    @Test
    public void anArrayFindsItsRows() throws SQLException {
        insertBatch();
        UUID[] some = {ids.get(5), ids.get(0), ids.get(3)};
        List<UUID> inOrder = List.of(ids.get(0), ids.get(3), ids.get(5));
        assertEquals(inOrder, found("id = ANY (?)", (Object) some));
        assertEquals(inOrder, found("id = ANY (?)", connection.createArrayOf("uuid", some)));
        assertEquals(List.of(), found("id = ANY (?)", (Object) new UUID[] {}));
    }

    @Test
    public void aTimeFindsTheRowsSince() throws SQLException {
        insertBatch();
        for (OffsetDateTime time : times) {
            if (time != null) {
                List<UUID> since = ids.subList(times.indexOf(time), ids.size());
                assertEquals(since, found("id >= ?", time));
                if (table.equals("event")) {
                    assertEquals(since, Events.since(connection, time));
                }
            }
        }
    }

    @Test
    public void aPreparedSliceUsesTheIndex() throws SQLException {
        run("SET enable_seqscan = off");
        run("SET enable_bitmapscan = off");
        try (PreparedStatement explain = connection.prepareStatement("EXPLAIN SELECT id FROM " + table + " WHERE id >= ?")) {
            explain.setObject(1, times.get(2));
            ResultSet plan = explain.executeQuery();
            assertTrue(plan.next());
            assertTrue(plan.getString(1), plan.getString(1).contains(table.equals("event") ? "event_pkey" : "legacy_by_time"));
        }
    }

    @Test
    public void whatIsNoIdIsRefused() throws SQLException {
        SQLException refused = assertThrows(SQLException.class, () -> {
            try (PreparedStatement select = connection.prepareStatement("SELECT FROM " + table + " WHERE id = ?")) {
                select.setObject(1, "20be0ffc-314a-bd53-7a50-013a65ca76d2x", Types.OTHER);
                select.executeQuery();
            }
        });
        assertEquals("22P02", refused.getSQLState());
        insertBatch();
    }

    @Test
    public void arraysComeBack() throws SQLException {
        insertBatch();
        ResultSet row = connection.createStatement()
                .executeQuery("SELECT array_agg(id" + chronological + ")::uuid[] FROM " + table);
        assertTrue(row.next());
        Array array = row.getArray(1);
        assertArrayEquals(ids.toArray(), (Object[]) array.getArray());
    }

    @Test
    public void textAndTimestampsNeedTheirType() throws SQLException {
        insertBatch();
        UUID id = ids.get(2);
        OffsetDateTime time = times.get(2);
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT count(*) FROM " + table + " WHERE id >= ?::timestamptz AND id = ?")) {
            select.setTimestamp(1, Timestamp.from(time.toInstant()));
            select.setObject(2, id.toString(), Types.OTHER);
            ResultSet row = select.executeQuery();
            assertTrue(row.next());
            assertEquals(1, row.getInt(1));
        }
        // The simple protocol has no types to send.
        assumeFalse(option.equals("preferQueryMode=simple"));
        assertEquals("42883", assertThrows(SQLException.class, () -> found("id = ?", id.toString())).getSQLState());
        assertEquals("22P02", assertThrows(SQLException.class,
                () -> found("id >= ?", Timestamp.from(time.toInstant()))).getSQLState());
    }

    /** What the documentation says of a luuid that is not cast: the driver has no class for it. */
    @Test
    public void aLuuidIsAnObjectOfTheDriver() throws SQLException {
        assumeTrue(table.equals("event"));
        insertBatch();
        ResultSet row = connection.createStatement().executeQuery("SELECT id FROM event" + chronological);
        for (UUID id : ids) {
            assertTrue(row.next());
            assertEquals(PGobject.class, row.getObject("id").getClass());
            assertThrows(ClassCastException.class, () -> row.getObject("id", UUID.class));
            assertEquals(id, UUID.fromString(row.getString("id")));
        }
    }

    @Test
    public void uuidFromStringTakesEveryVersion() throws Exception {
        for (String version : List.of("b", "8", "7")) {
            run("SET luuid.version = " + (version.equals("8") ? "8" : "b"));
            ResultSet row = connection.createStatement().executeQuery("SELECT luuid_generate"
                    + (version.equals("7") ? "_v7" : "") + "()::text FROM generate_series(1, 500)");
            while (row.next()) {
                assertEquals(version, row.getString(1).substring(14, 15));
                assertEquals(row.getString(1), UUID.fromString(row.getString(1)).toString());
            }
        }
        String documented = Files.readString(Path.of("../../../doc/drivers.md"));
        assertTrue(documented.contains("| Java `UUID.fromString` | yes | yes | yes |"));
    }

    private static byte[] bytesOf(UUID id) {
        return ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array();
    }
}
