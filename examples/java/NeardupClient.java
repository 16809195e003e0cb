import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Asks a running `neardup serve` which page a page repeats. Threads: any number.
 *
 * <p>Needs Java 11 and Jackson, which Nutch (by Hadoop) and StormCrawler bring.
 */
public final class NeardupClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TRIES = 8;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
  private final String service;
  private final String key;

  /** `service`: such as http://127.0.0.1:7464; `key`: of the service, or null. */
  public NeardupClient(String service, String key) {
    this.service = service.replaceAll("/+$", "");
    this.key = key;
  }

  /**
   * Puts a page into the store and returns a signature: the checksum of the text that the store keeps for it. It is one
   * for a page and all its copies, near ones too, and another one once the page that is kept changes. So crawlers that
   * compare signatures drop copies, and still see that a page was modified.
   */
  public String signature(String url, String text) {
    JsonNode verdict = ask("POST", "/v1/check-and-insert", JSON.createObjectNode().put("id", url).put("text", text));
    String kept = verdict.path("duplicate_of").isTextual() ? verdict.get("duplicate_of").asText() : url;
    String path = URLEncoder.encode(kept, StandardCharsets.UTF_8).replace("+", "%20");
    return ask("GET", "/v1/documents/" + path, null).path("checksum").asText();
  }

  /** Sending again is safe: the same id with the same text gets its first verdict again. */
  private JsonNode ask(String method, String path, JsonNode document) {
    for (int left = TRIES - 1; ; --left) {
      try {
        HttpResponse<String> response = http.send(request(method, path, document), HttpResponse.BodyHandlers.ofString());
        int status = response.statusCode();
        if (status == 200) return JSON.readTree(response.body());
        boolean isBusy = status == 429 || status == 503 || status == 507;
        if (left == 0 || !isBusy) throw new IOException(path + ": " + status + ": " + response.body());
        Thread.sleep(1000L * Integer.parseInt(response.headers().firstValue("Retry-After").orElse("1")));
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(error);
      }
    }
  }

  private HttpRequest request(String method, String path, JsonNode document) {
    HttpRequest.BodyPublisher body = document == null
        ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofString(document.toString());
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service + path))
        .timeout(Duration.ofSeconds(60)).header("Content-Type", "application/json").method(method, body);
    if (key != null && !key.isEmpty()) request.header("Authorization", "Bearer " + key);
    return request.build();
  }
}
