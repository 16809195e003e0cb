// HBase on one machine for tests and trials: ZooKeeper, master, region server and Thrift 2 gateway in one JVM, all on
// 127.0.0.1. usage: HBaseServer FOLDER THRIFT_PORT. Prints "READY THRIFT_PORT ZOOKEEPER_PORT" once the gateway answers.
import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.thrift2.ThriftServer;
import org.apache.hadoop.hbase.thrift2.generated.THBaseService;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;

public class HBaseServer {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int HOW_OFTEN_MS = 50;

  static Configuration configuration(String folder) {
    Configuration c = HBaseConfiguration.create();
    c.set("hbase.rootdir", "file://" + folder + "/hbase");
    c.set("hbase.tmp.dir", folder + "/tmp");
    c.set("hbase.zookeeper.quorum", LOOPBACK);
    c.set("hbase.zookeeper.property.clientPortAddress", LOOPBACK);
    c.setBoolean("hbase.zookeeper.property.admin.enableServer", false);
    c.setBoolean("hbase.cluster.distributed", false);
    c.setBoolean("hbase.unsafe.stream.capability.enforce", false);  // a local file system has no hflush
    c.set("hbase.wal.provider", "filesystem");
    for (String part : new String[] {"master", "regionserver"}) {
      c.set("hbase." + part + ".hostname", "localhost");
      c.set("hbase." + part + ".ipc.address", LOOPBACK);
      c.setInt("hbase." + part + ".port", 0);
      c.setInt("hbase." + part + ".info.port", -1);
    }
    // A heap of 2 GB: a quarter for what is not flushed yet, two fifths for blocks of files.
    c.setFloat("hbase.regionserver.global.memstore.size", 0.25f);
    c.setFloat("hfile.block.cache.size", 0.4f);
    c.setInt("hbase.hregion.memstore.flush.size", 64 << 20);
    c.set("hbase.hstore.checksum.algorithm", "CRC32");  // Java has it in machine code, CRC32C of Hadoop it has not
    c.setInt("hbase.client.pause", 20);  // ms, growing, between questions whether a table is made
    c.setInt("hbase.thrift.info.port", -1);
    c.setInt("hbase.procedure.store.region.flush.size", 1 << 20);
    c.setInt("hbase.master.wait.on.regionservers.mintostart", 1);
    c.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
    c.setInt("hbase.master.wait.on.regionservers.interval", 200);
    c.setInt("hbase.regionserver.msginterval", 200);
    c.setInt("hbase.thrift.minWorkerThreads", 8);
    c.setInt("hbase.regionserver.handler.count", 8);
    c.setInt("hbase.regionserver.metahandler.count", 4);
    c.setInt("hbase.master.procedure.threads", 4);
    return c;
  }

  static void waitForGateway(int port) throws Exception {
    for (;;) {
      try (TSocket socket = new TSocket(LOOPBACK, port)) {
        socket.open();
        new THBaseService.Client(new TBinaryProtocol(socket)).getTableNamesByPattern(".*", false);
        return;
      } catch (org.apache.thrift.TException e) {
        Thread.sleep(HOW_OFTEN_MS);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    Configuration c = configuration(arguments[0]);
    int port = Integer.parseInt(arguments[1]);
    MiniZooKeeperCluster zookeeper = new MiniZooKeeperCluster(c);
    int zookeeperPort = zookeeper.startup(new File(arguments[0], "zookeeper"));  // a free one
    c.setInt("hbase.zookeeper.property.clientPort", zookeeperPort);
    LocalHBaseCluster hbase = new LocalHBaseCluster(c, 1, 1);
    hbase.startup();
    while (hbase.getActiveMaster() == null || !hbase.getActiveMaster().isInitialized()) Thread.sleep(HOW_OFTEN_MS);
    ThriftServer gateway = new ThriftServer(c);
    Thread serving = new Thread(() -> {
      try {
        gateway.run(new String[] {"start", "-p", arguments[1], "-b", LOOPBACK, "--infoport", "-1"});
      } catch (Exception e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(3);
      }
    }, "thrift");
    serving.setDaemon(true);
    serving.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        gateway.stop();
        hbase.shutdown();
        hbase.join();
        zookeeper.shutdown();
      } catch (Exception e) {
        e.printStackTrace();
      }
    }));
    waitForGateway(port);
    System.out.println("READY " + port + " " + zookeeperPort);
    while (!hbase.getLiveRegionServers().isEmpty()) Thread.sleep(1000);
  }
}
