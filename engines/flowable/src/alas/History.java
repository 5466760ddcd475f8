package alas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flowable.engine.HistoryService;
import org.flowable.engine.history.HistoricDetail;
import org.flowable.engine.history.HistoricVariableUpdate;

/**
 * What the history service of the engine tells of an instance, as the rows of a trace: the calls that its activities
 * made, in the order in which the engine wrote them down, and what came of each.
 */
final class History {
  private static final Pattern PLACE = Pattern.compile("\\[(\\d+)]");
  private final ArrayNode rows = Stub.JSON.createArrayNode();
  private final Map<String, JsonNode> open = new HashMap<>();
  private final Map<String, Integer> attempts = new HashMap<>();

  private History() {}

  static ArrayNode of(HistoryService service, String instanceId) {
    List<HistoricDetail> details =
        new ArrayList<>(service.createHistoricDetailQuery().processInstanceId(instanceId).variableUpdates().list());
    details.sort(Comparator.comparingLong(detail -> Long.parseLong(detail.getId())));
    History history = new History();
    for (HistoricDetail detail : details) history.add((HistoricVariableUpdate) detail);
    return history.rows;
  }

  private void add(HistoricVariableUpdate update) {
    String activity = update.getActivityInstanceId();
    if (activity == null || !(update.getValue() instanceof JsonNode value)) return;
    switch (update.getVariableName()) {
      case Workers.SENT -> {
        open.put(activity, value);
        began(update, value);
      }
      case Workers.REPEATED -> {
        ended(update, open.get(activity), value);
        began(update, open.get(activity));
      }
      case "answer", Workers.ANSWERED -> {
        JsonNode call = open.remove(activity);
        if (call != null) ended(update, call, value);
      }
      default -> {}
    }
  }

  private void began(HistoricVariableUpdate update, JsonNode call) {
    attempts.merge(keyOf(call), 1, Integer::sum);
    row(update, call, namesOf(call).get(0));
  }

  private void ended(HistoricVariableUpdate update, JsonNode call, JsonNode answer) {
    JsonNode error = answer.get("error");
    ObjectNode row = row(update, call, namesOf(call).get(error == null ? 1 : 2));
    if (error != null) row.set("error", error.get("code"));
  }

  private ObjectNode row(HistoricVariableUpdate update, JsonNode call, String kind) {
    String path = call.path("path").asText();
    List<String> places = new ArrayList<>();
    Matcher found = PLACE.matcher(path);
    while (found.find()) places.add(found.group(1));
    ObjectNode row = rows.addObject();
    row.set("runId", call.get("runId"));
    row.put("step", path.substring(path.lastIndexOf('/') + 1));
    row.put("item", String.join(".", places));
    row.put("path", path);
    row.put("attempt", attempts.get(keyOf(call)));
    row.put("kind", kind);
    row.put("at", update.getTime().getTime());
    return row;
  }

  /** The names of rows by the kind of call: when it starts, has an answer, fails. */
  private static List<String> namesOf(JsonNode call) {
    return switch (call.path("kind").asText()) {
      case "undo" -> List.of("compensate", "compensated", "compensate-error");
      case "wait" -> List.of("wait", "waited", "wait-error");
      case "approve" -> List.of("approve", "approved", "approve-error");
      default -> List.of("start", "ok", "error");
    };
  }

  private static String keyOf(JsonNode call) {
    return call.path("kind").asText() + " " + call.path("path").asText();
  }
}
