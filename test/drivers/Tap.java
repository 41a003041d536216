import org.junit.runner.*;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs the tests of a class, and prints TAP. */
public class Tap extends RunListener {
    private int tests = 0;
    private String result;

    public static void main(String[] arguments) throws ClassNotFoundException {
        JUnitCore core = new JUnitCore();
        core.addListener(new Tap());
        System.exit(core.run(Class.forName(arguments[0])).wasSuccessful() ? 0 : 1);
    }

    @Override
    public void testStarted(Description test) {
        result = "ok";
    }

    @Override
    public void testFailure(Failure failure) {
        result = "not ok";
        System.out.println("# " + failure.getTrace().replace("\n", "\n# "));
    }

    @Override
    public void testFinished(Description test) {
        System.out.println(result + " " + ++tests + " - " + test.getDisplayName());
    }

    @Override
    public void testRunFinished(Result all) {
        System.out.println("1.." + tests);
    }
}
