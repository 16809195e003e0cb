// What an operator, or the balancer, does to the regions of a table while clients use it.
// usage: HBaseRegions ZOOKEEPER_PORT TABLE flush|reopen|split...; prints after each how many regions there are.
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

public class HBaseRegions {
  private static final int MOST_TRIES = 200;
  private static final int HOW_OFTEN_MS = 50;

  static void reopen(Admin admin, TableName table) throws Exception {
    for (RegionInfo region : admin.getRegions(table)) {
      admin.unassign(region.getEncodedNameAsBytes(), true);
      admin.assign(region.getEncodedNameAsBytes());
    }
  }

  static void split(Admin admin, TableName table) throws Exception {
    int before = admin.getRegions(table).size();
    admin.split(table, new byte[] {0x20, 0, 0, 0});
    for (int i = 0; i < MOST_TRIES && admin.getRegions(table).size() == before; ++i) Thread.sleep(HOW_OFTEN_MS);
  }

  public static void main(String[] arguments) throws Exception {
    Configuration c = HBaseConfiguration.create();
    c.set("hbase.zookeeper.quorum", "127.0.0.1");
    c.set("hbase.zookeeper.property.clientPort", arguments[0]);
    TableName table = TableName.valueOf(arguments[1]);
    try (Connection connection = ConnectionFactory.createConnection(c); Admin admin = connection.getAdmin()) {
      for (int i = 2; i < arguments.length; ++i) {
        if (arguments[i].equals("flush")) admin.flush(table);
        if (arguments[i].equals("reopen")) reopen(admin, table);
        if (arguments[i].equals("split")) split(admin, table);
        System.out.print((i == 2 ? "" : " ") + admin.getRegions(table).size());
      }
      System.out.println();
    }
  }
}
