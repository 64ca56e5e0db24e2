// What Iceberg Java makes of changes to a table: its own update API by names, and the updates and requirements of the
// REST model. Asked by JSON lines {"id", "operation", "arguments"} on standard input; ends when that closes.
//
// `sessions` takes texts {"table": metadata or null, "commits": [commit, …]} and answers for each with a list, one entry
// a commit. A commit is {"change": [operation, …]} of one family, in the words of the evolution conformance format, or
// {"requirements": […], "updates": […]}. An entry is the metadata as a text, or {"type", "message", "at"}: the exception,
// and the operation that threw it, -1 where the commit did. A refused commit changes nothing; the next one goes on. One
// such object in the place of the list: the table itself cannot be read.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.iceberg.IcebergBuild;
import org.apache.iceberg.MetadataUpdateParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateRequirementParser;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

public class EvolutionOracle {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] words) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    say(out, JSON.createObjectNode().set("ready", JSON.createObjectNode().put("iceberg", IcebergBuild.version())));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode request = JSON.readTree(line);
      ObjectNode reply = JSON.createObjectNode().put("id", request.get("id").asInt());
      ArrayNode answers = reply.putArray("answer");
      for (JsonNode text : request.get("arguments").get("sessions")) answers.add(answer(JSON.readTree(text.asText())));
      say(out, reply);
    }
  }

  private static void say(PrintStream out, JsonNode message) throws Exception {
    out.println(JSON.writeValueAsString(message));
    out.flush();
  }

  private static JsonNode answer(JsonNode session) {
    try {
      return session(session, session.hasNonNull("table") ? TableMetadataParser.fromJson(session.get("table").toString()) : null);
    } catch (RuntimeException problem) {
      return refusal(problem, -1);
    }
  }

  private static ObjectNode refusal(RuntimeException problem, int at) {
    return JSON.createObjectNode().put("type", problem.getClass().getSimpleName()).put("message", problem.getMessage()).put("at", at);
  }

  private static ArrayNode session(JsonNode session, TableMetadata start) {
    ArrayNode answers = JSON.createArrayNode();
    Memory table = new Memory(start);
    for (JsonNode commit : session.get("commits")) {
      TableMetadata before = table.metadata;
      int[] at = {-1};
      try {
        if (commit.has("change")) EvolutionOperations.change(table, commit.get("change"), at);
        else table.metadata = rest(before, commit);
        String text = TableMetadataParser.toJson(table.metadata);
        // As the next reader has it: what cannot be read again was no good commit.
        table.metadata = TableMetadataParser.fromJson(text);
        answers.add(text);
      } catch (RuntimeException problem) {
        table.metadata = before;
        answers.add(refusal(problem, at[0]));
      }
    }
    return answers;
  }

  /** A table in memory, in the place of a catalog. */
  static final class Memory implements TableOperations {
    TableMetadata metadata;

    Memory(TableMetadata metadata) {
      this.metadata = metadata;
    }

    @Override
    public TableMetadata current() {
      return metadata;
    }

    @Override
    public TableMetadata refresh() {
      return metadata;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata next) {
      metadata = next;
    }

    @Override
    public FileIO io() {
      return null;
    }

    @Override
    public String metadataFileLocation(String name) {
      return metadata.location() + "/metadata/" + name;
    }

    @Override
    public LocationProvider locationProvider() {
      return null;
    }
  }

  private static TableMetadata rest(TableMetadata base, JsonNode commit) {
    for (JsonNode one : commit.get("requirements")) UpdateRequirementParser.fromJson(one.toString()).validate(base);
    TableMetadata.Builder builder;
    if (base == null) {
      // As the REST server of Iceberg does it: the version that is asked for counts from the start.
      Optional<Integer> version = Optional.empty();
      for (JsonNode one : commit.get("updates")) {
        if (one.get("action").asText().equals("upgrade-format-version")) version = Optional.of(one.get("format-version").asInt());
      }
      builder = version.map(TableMetadata::buildFromEmpty).orElseGet(TableMetadata::buildFromEmpty);
    } else {
      builder = TableMetadata.buildFrom(base);
    }
    for (JsonNode one : commit.get("updates")) MetadataUpdateParser.fromJson(one.toString()).applyTo(builder);
    return builder.build();
  }
}
