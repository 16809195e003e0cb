// What an operator, or the balancer, does to the regions of a table while clients use it.
// usage: HBaseRegions ZOOKEEPER_PORT split|reopen|flush TABLE; prints how many regions there are afterwards.
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

public class HBaseRegions {
  public static void main(String[] arguments) throws Exception {
    Configuration c = HBaseConfiguration.create();
    c.set("hbase.zookeeper.quorum", "127.0.0.1");
    c.set("hbase.zookeeper.property.clientPort", arguments[0]);
    TableName table = TableName.valueOf(arguments[2]);
    try (Connection connection = ConnectionFactory.createConnection(c); Admin admin = connection.getAdmin()) {
      if (arguments[1].equals("flush")) admin.flush(table);
      if (arguments[1].equals("reopen")) {
        for (RegionInfo region : admin.getRegions(table)) {
          admin.unassign(region.getEncodedNameAsBytes(), true);
          admin.assign(region.getEncodedNameAsBytes());
        }
      }
      if (arguments[1].equals("split")) {
        admin.flush(table);
        int before = admin.getRegions(table).size();
        admin.split(table, new byte[] {0x40, 0, 0, 0});
        for (int i = 0; i < 200 && admin.getRegions(table).size() == before; ++i) Thread.sleep(50);
      }
      System.out.println(admin.getRegions(table).size());
    }
  }
}
