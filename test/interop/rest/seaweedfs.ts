// Tables in SeaweedFS, signed and by tokens: its catalog is another's code than Iceberg's, and its files lie in a bucket
// that takes the names of Iceberg's own files only. PyIceberg writes and reads beside.
import { join } from "node:path";
import { type PyIceberg, restCatalog } from "../support/engines/pyiceberg.ts";
import { sameRows, type Suite } from "../support/expect.ts";
import { type Row, rowSet } from "../support/rows.ts";
import type { SeaweedFs } from "../support/services/seaweedfs.ts";
import { restProject } from "./project.ts";

const BEFORE: readonly Row[] = Array.from({ length: 300 }, (_, index) => ({
  id: BigInt(index),
  day: index % 7 === 0 ? null : `202401${String(1 + (index % 28)).padStart(2, "0")}`,
  note: index % 3 === 0 ? null : `note ${index}`,
}));
const AFTER: readonly Row[] = BEFORE.map(({ id = null, day = null, note = null }) => ({ id, day, remark: note, channel: null }));
const TYPES = { id: "long", day: "string", remark: "string", channel: "string" };

const DECLARED = `columns:
  - { name: id, type: long, comment: "Number" }
  - { name: day, type: string }
  - { name: remark, type: string, renamed-from: [ note ] }
  - { name: channel, type: string }
properties: { owner.team: shop }
`;
const CONVERTED = DECLARED.replace("day, type: string", "day, type: date, convert: { from: string, format: yyyyMMdd }");

const TYPES_CONVERTED = { ...TYPES, day: "date" };
const converted = ({ day, ...row }: Row): Row => ({
  ...row,
  day: typeof day === "string" ? day.replace(/^(....)(..)(..)$/, "$1-$2-$3") : null,
});

export async function seaweedFsChecks(suite: Suite, server: SeaweedFs, tableBucket: string, pyiceberg: PyIceberg): Promise<void> {
  const credential = `${server.accessKeyId}:${server.secretAccessKey}`;
  const place = `type: rest, uri: "${server.catalogUrl}", warehouse: ${tableBucket}`;
  const ways = {
    signed: `{ ${place}, auth: sigv4, signing-name: s3tables, region: ${server.region} }`,
    tokens: `{ ${place}, auth: oauth2 }`,
  };
  const catalog = restCatalog(server.catalogUrl, {
    warehouse: tableBucket,
    credential,
    scope: "catalog",
    "s3.endpoint": server.url,
    "s3.region": server.region,
    "s3.access-key-id": server.accessKeyId,
    "s3.secret-access-key": server.secretAccessKey,
  });
  for (const [way, catalogYaml] of Object.entries(ways)) {
    await suite.check(`seaweedfs: a table that PyIceberg wrote is evolved, ${way}`, async () => {
      const table = `walk.${way}`;
      const field = (id: number, name: string, type: string): object => ({ id, name, type, required: false });
      const fields = [field(1, "id", "long"), field(2, "day", "string"), field(3, "note", "string")];
      await pyiceberg.create(catalog, table, { schema: { type: "struct", fields } });
      await pyiceberg.append(catalog, table, BEFORE.slice(0, 200));
      await pyiceberg.append(catalog, table, BEFORE.slice(200));
      const project = await restProject({
        folder: join(suite.scratch, way),
        catalog: catalogYaml,
        variables: {
          ...server.variables,
          FLOEPLAN_REST_CREDENTIAL_LAKE: credential,
          AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
        },
      });
      await project.declare(`table: ${table}\n${DECLARED}`);
      await project.apply();
      sameRows(await pyiceberg.rows(catalog, table), rowSet(TYPES, AFTER));
      const row: Row = { id: 1000n, day: "20250101", remark: "more", channel: "web" };
      await pyiceberg.append(catalog, table, [row]);
      sameRows(await pyiceberg.rows(catalog, table), rowSet(TYPES, [...AFTER, row]));
      const told = await project.expect(0, "plan", "--exit-code");
      if (!told.includes("No changes")) throw new Error(told);
      // The bucket takes a journal under no name, so there is none; the conversion goes on.
      await project.declare(`table: ${table}\n${CONVERTED}`);
      await project.expect(0, "plan", "--preflight", "--out", "plan.json");
      await project.expect(0, "apply", "--plan", "plan.json");
      sameRows(await pyiceberg.rows(catalog, table), rowSet(TYPES_CONVERTED, [...AFTER, row].map(converted)));
    });
  }
}
