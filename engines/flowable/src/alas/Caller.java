package alas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.flowable.common.engine.api.delegate.Expression;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;

/**
 * Makes the call in the variable {@code call}, waits for its answer, and sets {@code answer}, or the variable that the
 * field {@code result} names, to {@code {output}} or {@code {error: {code, message}}}. For compensation handlers: the engine runs them one after the other only if they
 * do not wait, and puts no events on their boundary, so that limits and repetitions are fields of this class.
 */
public final class Caller implements JavaDelegate {
  static Stub stub;
  private Expression result;
  private Expression seconds;
  private Expression attempts;
  private Expression retryOn;
  private Expression wait;
  private Expression mode;
  private Expression cap;

  @Override
  public void execute(DelegateExecution execution) {
    ObjectNode call = Workers.sent(execution);
    execution.setVariableLocal(Workers.SENT, call);
    double limit = number(seconds, execution, 60);
    double most = number(attempts, execution, 1);
    List<String> codes = List.of(text(retryOn, execution, "*").split(","));
    ObjectNode answer = stub.askWithin(call, limit);
    for (int attempt = 1; attempt < most && isWorthAnother(answer, codes); attempt++) {
      execution.setVariableLocal(Workers.REPEATED, answer);
      sleep(pause(execution, attempt));
      answer = stub.askWithin(call, limit);
    }
    execution.setVariableLocal(Workers.ANSWERED, answer);
    execution.setVariable(text(result, execution, "answer"), answer);
  }

  private static boolean isWorthAnother(JsonNode answer, List<String> codes) {
    if (!answer.has("error")) return false;
    return codes.contains("*") || codes.contains(answer.path("error").path("code").asText());
  }

  private double pause(DelegateExecution execution, int attempt) {
    double base = number(wait, execution, 0);
    boolean grows = text(mode, execution, "fixed").equals("exponential");
    return Math.min(number(cap, execution, Double.MAX_VALUE), grows ? base * Math.pow(2, attempt - 1) : base);
  }

  private static void sleep(double seconds) {
    try {
      Thread.sleep((long) (seconds * 1000));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static double number(Expression field, DelegateExecution execution, double otherwise) {
    return field == null ? otherwise : Double.parseDouble(String.valueOf(field.getValue(execution)));
  }

  private static String text(Expression field, DelegateExecution execution, String otherwise) {
    return field == null ? otherwise : String.valueOf(field.getValue(execution));
  }
}
