// Iceberg's own REST catalog handlers behind Jetty, on the loopback address only: the server that Iceberg ships listens
// on all addresses and cannot be told otherwise. Arguments are properties of the catalog behind it, KEY=VALUE.
// Prints `listening PORT`; ends when its standard input closes.
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

public class RestServer {
  public static void main(String[] words) throws Exception {
    Map<String, String> properties = new HashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      properties.put(word.substring(0, equals), word.substring(equals + 1));
    }
    Catalog catalog = CatalogUtil.buildIcebergCatalog("interop", properties, new Configuration());
    ServletContextHandler handler = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
    handler.addServlet(new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(catalog))), "/*");
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(handler);
    server.start();
    System.out.println("listening " + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    while (System.in.read() >= 0) {
      // Nothing is said on it; only its end counts.
    }
    server.stop();
    System.exit(0);
  }
}
