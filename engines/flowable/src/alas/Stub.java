package alas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks for each call over HTTP, and gives its answer: {@code {output}} or {@code {error: {code, message}}}. */
final class Stub {
  static final ObjectMapper JSON = new ObjectMapper();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
  private final URI address;

  Stub(String base) {
    address = URI.create(base + "/call");
  }

  /** The answer to a call; a connection that breaks off is the error {@code Crash}. */
  CompletableFuture<ObjectNode> ask(JsonNode call) {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(call.toString()))
            .build();
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(response -> read(response.body()))
        .exceptionally(broken -> failure("Crash", String.valueOf(broken.getMessage())));
  }

  /** The answer to a call that may take so many seconds, and is {@code Timeout} then. */
  ObjectNode askWithin(JsonNode call, double seconds) {
    return ask(call)
        .completeOnTimeout(failure("Timeout", "no answer"), (long) (seconds * 1000), TimeUnit.MILLISECONDS)
        .join();
  }

  private static ObjectNode read(String text) {
    try {
      return (ObjectNode) JSON.readTree(text);
    } catch (Exception error) {
      return failure("Crash", "the answer is no JSON");
    }
  }

  static ObjectNode failure(String code, String message) {
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("error").put("code", code).put("message", message);
    return answer;
  }
}
