// needs: release
import java.sql.*;
import java.util.*;
import javax.persistence.*;
import org.hibernate.Query;
import org.hibernate.Session;
import org.hibernate.annotations.Type;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.*;
import org.hibernate.tool.hbm2ddl.*;

/** Hibernate: it makes a table with a key and a foreign key, finds nothing to change after that, and reads rows as written. */
public class TestHibernate {
    @Entity
    @Table(name = "note")
    public static class Note {
        @Id
        @Type(type = "uuid-char") // which JDBC sends without a type, and reads as text
        @Column(columnDefinition = "luuid")
        UUID id = UUID.fromString("20be0ffc-314a-bd53-7a50-013a65ca76d2");

        @ManyToOne
        Note parent;
    }

    private static void own(String what, Object got, Object expected) {
        System.out.println(String.join("\t", "own", what, got.toString(), expected.toString()));
    }

    /** Tells programs.py. */
    public static void main(String[] arguments) throws SQLException {
        Map<String, String> from = System.getenv();
        String url = String.format("jdbc:postgresql://%s:%s/%s?user=%s&password=any&stringtype=unspecified",
                from.get("PGHOST"), from.get("PGPORT"), from.get("PGDATABASE"), from.get("PGUSER"));
        Dialect dialect = new PostgreSQLDialect();
        Configuration configuration = new Configuration().addAnnotatedClass(Note.class)
                .setProperty("hibernate.connection.url", url).setProperty("hibernate.dialect", dialect.getClass().getName());
        try (Connection connection = DriverManager.getConnection(url)) {
            for (int statements : new int[] {2, 0}) {
                DatabaseMetadata there = new DatabaseMetadata(connection, dialect);
                own("statements", configuration.generateSchemaUpdateScript(dialect, there).length, statements);
                SchemaUpdate update = new SchemaUpdate(configuration);
                update.execute(false, true);
                own("errors of " + statements, update.getExceptions(), List.of());
                new SchemaValidator(configuration).validate();
            }
        }

        Session session = configuration.buildSessionFactory().openSession();
        Note note = new Note();
        note.parent = note;
        session.save(note);
        session.flush();
        session.clear();
        Query query = session.createQuery("from TestHibernate$Note where parent.id = :id").setParameter("id", note.id);
        own("a row is read as written", ((Note) query.uniqueResult()).parent.id, note.id);
        System.out.println("ready");
    }
}
