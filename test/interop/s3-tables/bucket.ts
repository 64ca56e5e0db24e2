// Table buckets on a server that plays S3 Tables, made and looked at past floeplan.
import {
  CreateNamespaceCommand,
  CreateTableBucketCommand,
  GetTableMetadataLocationCommand,
  S3TablesClient,
} from "@aws-sdk/client-s3tables";

// The SDK warns of a Node that this project still supports.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

export interface ServerOfTables {
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface TableBucket {
  readonly arn: string;
  /** Of the metadata file that the service names now. */
  readonly metadataLocation: (namespace: string, table: string) => Promise<string>;
}

export async function makeTableBucket(
  { url, region, accessKeyId, secretAccessKey }: ServerOfTables,
  name: string,
  namespaces: readonly string[] = [],
): Promise<TableBucket> {
  const client = new S3TablesClient({ endpoint: url, region, credentials: { accessKeyId, secretAccessKey } });
  const { arn } = await client.send(new CreateTableBucketCommand({ name }));
  if (arn === undefined) throw new Error(`The server names no ARN for "${name}"`);
  for (const namespace of namespaces)
    await client.send(new CreateNamespaceCommand({ tableBucketARN: arn, namespace: [namespace] }));
  return {
    arn,
    metadataLocation: async (namespace, table) => {
      const asked = new GetTableMetadataLocationCommand({ tableBucketARN: arn, namespace, name: table });
      const { metadataLocation } = await client.send(asked);
      if (metadataLocation === undefined) throw new Error(`"${namespace}.${table}" has no metadata`);
      return metadataLocation;
    },
  };
}
