import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.MD5Signature;
import org.apache.nutch.crawl.Signature;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.protocol.Content;

/**
 * A signature for Apache Nutch 1.x that near-duplicates share, so that its deduplication removes them.
 *
 * <p>conf/nutch-site.xml: db.signature.class = NeardupSignature, neardup.url = http://127.0.0.1:7464, perhaps
 * neardup.key. The jar with this class and NeardupClient goes to lib/.
 */
public class NeardupSignature extends Signature {
  private final Signature fallback = new MD5Signature();
  private NeardupClient client;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    fallback.setConf(conf);
    if (conf != null) client = new NeardupClient(conf.get("neardup.url", "http://127.0.0.1:7464"), conf.get("neardup.key"));
  }

  /** Of pages without text, as with Nutch's own TextProfileSignature, the bytes count. */
  @Override
  public byte[] calculate(Content content, Parse parse) {
    String text = parse == null ? null : parse.getText();
    if (text == null || text.isBlank()) return fallback.calculate(content, parse);
    return client.signature(content.getUrl(), text).getBytes(StandardCharsets.US_ASCII);
  }
}
