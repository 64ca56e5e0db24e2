// The operations of the evolution conformance format as calls of Iceberg Java's own update API, which works by names.
// Knows one commit; who asks for it, and what becomes of a refusal, is EvolutionOracle's.
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.NullOrder;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.ReplaceSortOrder;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.SortOrderParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdatePartitionSpec;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.expressions.Term;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
final class EvolutionOperations {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern WITH_NUMBER = Pattern.compile("(bucket|truncate)\\[(\\d+)\\]");
  /** Above every placeholder id in a type that is to be added. */
  private static final int WRAPPER_ID = 1_000_000;

  private EvolutionOperations() {}

  /** One commit; `at` is the number of the operation under way, -1 for the commit itself. */
  static void change(EvolutionOracle.Memory memory, JsonNode operations, int[] at) {
    JsonNode first = operations.get(0);
    if (text(first, "op").equals("create_table")) {
      memory.metadata = newTable(first);
      return;
    }
    Table table = new BaseTable(memory, "table");
    switch (text(first, "op")) {
      case "set_sort_order" -> replaceSortOrder(table.replaceSortOrder(), first);
      case "set_properties", "remove_properties" -> {
        UpdateProperties update = table.updateProperties();
        first.path("updates").properties().forEach(entry -> update.set(entry.getKey(), entry.getValue().asText()));
        first.path("keys").forEach(key -> update.remove(key.asText()));
        update.commit();
      }
      case "upgrade_format_version" ->
          memory.commit(memory.metadata, memory.metadata.upgradeToFormatVersion(first.get("version").asInt()));
      case "add_partition_field", "remove_partition_field", "rename_partition_field", "non_default_spec", "spec_case_insensitive" -> {
        UpdatePartitionSpec update = table.updateSpec();
        for (at[0] = 0; at[0] < operations.size(); at[0]++) changeSpec(update, operations.get(at[0]));
        at[0] = -1;
        update.commit();
      }
      default -> {
        SchemaChange change = new SchemaChange(table.schema(), table.updateSchema());
        for (at[0] = 0; at[0] < operations.size(); at[0]++) change.take(operations.get(at[0]));
        at[0] = -1;
        change.update.commit();
      }
    }
  }

  private static TableMetadata newTable(JsonNode operation) {
    Schema schema = SchemaParser.fromJson(operation.get("schema"));
    PartitionSpec spec =
        operation.has("partition_spec") ? PartitionSpecParser.fromJson(schema, operation.get("partition_spec")) : PartitionSpec.unpartitioned();
    SortOrder order =
        operation.has("sort_order") ? SortOrderParser.fromJson(schema, operation.get("sort_order").toString()) : SortOrder.unsorted();
    Map<String, String> properties = new HashMap<>();
    operation.path("properties").properties().forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
    return TableMetadata.newTableMetadata(schema, spec, order, "file:/table", properties);
  }

  private static void replaceSortOrder(ReplaceSortOrder update, JsonNode operation) {
    if (operation.path("case_insensitive").asBoolean()) update.caseSensitive(false);
    for (JsonNode field : operation.get("fields")) {
      Term term = term(field);
      boolean isDescending = text(field, "direction").equals("desc");
      if (!field.hasNonNull("null_order")) {
        if (isDescending) update.desc(term);
        else update.asc(term);
      } else {
        NullOrder nulls = text(field, "null_order").equals("nulls-first") ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST;
        if (isDescending) update.desc(term, nulls);
        else update.asc(term, nulls);
      }
    }
    update.commit();
  }

  private static void changeSpec(UpdatePartitionSpec update, JsonNode operation) {
    String name = text(operation, "name");
    switch (text(operation, "op")) {
      case "add_partition_field" -> {
        if (name == null) update.addField(term(operation));
        else update.addField(name, term(operation));
      }
      case "remove_partition_field" -> {
        if (name == null) update.removeField(term(operation));
        else update.removeField(name);
      }
      case "rename_partition_field" -> update.renameField(name, text(operation, "to"));
      case "non_default_spec" -> update.addNonDefaultSpec();
      case "spec_case_insensitive" -> update.caseSensitive(false);
      default -> throw new AssertionError("No operation of a partition spec: " + operation);
    }
  }

  private static Term term(JsonNode node) {
    String source = text(node, "source");
    String transform = text(node, "transform");
    Matcher withNumber = WITH_NUMBER.matcher(transform);
    if (withNumber.matches()) {
      int number = Integer.parseInt(withNumber.group(2));
      return withNumber.group(1).equals("bucket") ? Expressions.bucket(source, number) : Expressions.truncate(source, number);
    }
    return switch (transform) {
      case "identity" -> Expressions.ref(source);
      case "year" -> Expressions.year(source);
      case "month" -> Expressions.month(source);
      case "day" -> Expressions.day(source);
      case "hour" -> Expressions.hour(source);
      case "void" -> Expressions.transform(source, Transforms.alwaysNull());
      default -> throw new AssertionError("No transform: " + transform);
    };
  }

  /** One schema update; knows the types that columns will have, since a default is read by its type. */
  private static final class SchemaChange {
    private final Schema schema;
    private final UpdateSchema update;
    private final Map<Integer, Type> newTypes = new HashMap<>();
    private final Map<String, Type> addedTypes = new HashMap<>();
    private boolean isCaseSensitive = true;

    SchemaChange(Schema schema, UpdateSchema update) {
      this.schema = schema;
      this.update = update;
    }

    void take(JsonNode operation) {
      String column = text(operation, "column");
      switch (text(operation, "op")) {
        case "add" -> add(operation);
        case "drop" -> update.deleteColumn(column);
        case "rename" -> update.renameColumn(column, text(operation, "to"));
        case "move" -> {
          if (operation.has("after")) update.moveAfter(column, text(operation, "after"));
          else if (operation.has("before")) update.moveBefore(column, text(operation, "before"));
          else update.moveFirst(column);
        }
        case "update_type" -> {
          Type type = typeOf(operation.get("type"));
          update.updateColumn(column, type.asPrimitiveType());
          if (find(column) != null) newTypes.put(find(column).fieldId(), type);
        }
        case "set_required" -> update.requireColumn(column);
        case "set_optional" -> update.makeColumnOptional(column);
        case "update_doc" -> update.updateColumnDoc(column, text(operation, "doc"));
        case "set_default" -> update.updateColumnDefault(column, literal(typeNow(column), operation.get("default")));
        case "set_identifier_fields" -> {
          List<String> names = new ArrayList<>();
          operation.get("columns").forEach(name -> names.add(name.asText()));
          update.setIdentifierFields(names);
        }
        case "union_by_name" -> update.unionByNameWith(SchemaParser.fromJson(operation.get("schema")));
        case "allow_incompatible" -> update.allowIncompatibleChanges();
        case "case_insensitive" -> {
          update.caseSensitive(false);
          isCaseSensitive = false;
        }
        default -> throw new AssertionError("No operation of a schema: " + operation);
      }
    }

    private void add(JsonNode operation) {
      String name = text(operation, "name");
      String doc = text(operation, "doc");
      Type type = typeOf(operation.get("type"));
      Literal<?> value = literal(type, operation.get("default"));
      boolean isRequired = operation.path("required").asBoolean();
      if (operation.has("parent")) {
        String parent = text(operation, "parent");
        if (isRequired) update.addRequiredColumn(parent, name, type, doc, value);
        else update.addColumn(parent, name, type, doc, value);
        addedTypes.put(parent == null ? name : parent + "." + name, type);
      } else {
        if (isRequired) update.addRequiredColumn(name, type, doc, value);
        else update.addColumn(name, type, doc, value);
        addedTypes.put(name, type);
      }
    }

    private Types.NestedField find(String column) {
      return isCaseSensitive ? schema.findField(column) : schema.caseInsensitiveFindField(column);
    }

    /** Of a column that is not there any type will do. */
    private Type typeNow(String column) {
      Types.NestedField field = find(column);
      if (field != null) return newTypes.getOrDefault(field.fieldId(), field.type());
      return addedTypes.getOrDefault(column, Types.StringType.get());
    }
  }

  private static Type typeOf(JsonNode type) {
    ObjectNode wrapper = JSON.createObjectNode().put("type", "struct");
    ObjectNode field = wrapper.putArray("fields").addObject().put("id", WRAPPER_ID).put("name", "wrapped").put("required", false);
    field.set("type", type);
    return SchemaParser.fromJson(wrapper).findField(WRAPPER_ID).type();
  }

  private static Literal<?> literal(Type type, JsonNode value) {
    if (value == null || value.isNull()) return null;
    try {
      Object read = SingleValueParser.fromJson(type, value);
      // A number alone counts as microseconds.
      if (type.typeId() == Type.TypeID.TIMESTAMP_NANO) return Expressions.nanos((Long) read).to(type);
      return Expressions.lit(read).to(type);
    } catch (RuntimeException noValue) {
      // The API is to refuse it, at the point where it looks at defaults: a literal that no other type takes.
      return type.typeId() == Type.TypeID.BOOLEAN ? Expressions.lit("no boolean") : Expressions.lit(true);
    }
  }

  private static String text(JsonNode node, String key) {
    return node.hasNonNull(key) ? node.get(key).asText() : null;
  }
}
