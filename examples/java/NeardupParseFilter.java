import com.digitalpebble.stormcrawler.parse.ParseData;
import com.digitalpebble.stormcrawler.parse.ParseFilter;
import com.digitalpebble.stormcrawler.parse.ParseResult;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.w3c.dom.DocumentFragment;

/**
 * A parse filter for StormCrawler that sets the metadata "signature", which near-duplicates share: in the place of
 * MD5SignatureParseFilter, with the same parameters keyName and keyNameCopy. From version 3 on the packages are called
 * org.apache.stormcrawler.
 *
 * <p>parsefilters.json: {"class": "NeardupParseFilter", "name": "Neardup", "params": {"url": "http://127.0.0.1:7464"}}
 */
public class NeardupParseFilter extends ParseFilter {
  private NeardupClient client;
  private String keyName;
  private String keyNameCopy;

  @Override
  public void configure(Map<String, Object> stormConf, JsonNode parameters) {
    client = new NeardupClient(parameters.path("url").asText("http://127.0.0.1:7464"),
                               parameters.path("key").asText(null));
    keyName = parameters.path("keyName").asText("signature");
    keyNameCopy = parameters.path("keyNameCopy").asText("");
  }

  @Override
  public void filter(String url, byte[] content, DocumentFragment page, ParseResult parse) {
    ParseData data = parse.get(url);
    String before = data.getMetadata().getFirstValue(keyName);
    if (!keyNameCopy.isEmpty() && before != null) data.getMetadata().setValue(keyNameCopy, before);
    String text = data.getText();
    if (text != null && !text.isBlank()) data.getMetadata().setValue(keyName, client.signature(url, text));
  }
}
