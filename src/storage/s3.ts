// S3 by the AWS SDK: what is sent for each call of s3-calls.ts, and how the clients are made. One request a call: the
// SDK's retries and redirects are off, because the store must see every answer. Loaded only where a location is in S3.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { awsCredentials } from "./aws-credentials.ts";
import { type AwsKeys, type AwsKeySource, sharedKeys } from "./aws-keys.ts";
import type { ObjectStore } from "./object-store.ts";
import { bodyOf, MARK, markOf, namedPart, pageOf, present, sizeOf } from "./s3-answers.ts";
import type { S3Calls } from "./s3-calls.ts";
import { regionalCalls, type RunInBucket } from "./s3-clients.ts";
import { configuredEndpoint, wantsNoSignature, wantsPathStyle } from "./s3-endpoint.ts";
import type { S3Place } from "./s3-location.ts";
import { createStoreOver, type S3StoreOptions } from "./s3-store.ts";

export interface S3Options extends S3StoreOptions {
  /** Where calls go first; buckets elsewhere are found. Without: the environment's region, else us-east-1. */
  readonly region?: string;
  /** Of another store than AWS, or of a fake. Without: `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, the configuration files. */
  readonly endpoint?: string;
  /** The bucket in the path, not in the host. Without: for every endpoint that is not of AWS. */
  readonly pathStyle?: boolean;
  /** Without: the standard chain. A source is asked again when what it gave expires. */
  readonly credentials?: AwsKeys | AwsKeySource;
  /** Nothing is signed, for what anybody may read. Without: what the environment says where no credentials are given. */
  readonly anonymous?: boolean;
  /** A connection on which nothing comes for so long is given up. */
  readonly idleTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
/** More than all calls at once can hold, so that none waits for a connection that waits for it. */
const MOST_CONNECTIONS = 512;

export function createS3Store(options: S3Options = {}): ObjectStore {
  const run = regionalCalls(clientMaker(options));
  return createStoreOver(s3CallsThrough(run), options);
}

function clientMaker(options: S3Options): (region: string | null) => S3Client {
  const { endpoint, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const own = options.region ?? process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"];
  const isAnonymous = options.anonymous ?? (options.credentials === undefined && wantsNoSignature(process.env));
  const credentials = isAnonymous ? NOBODY : keySource(options);
  const forcePathStyle = options.pathStyle ?? wantsPathStyle(configuredEndpoint(endpoint, process.env));
  let ofFiles: Promise<string> | null = null;
  const agent = { keepAlive: true, maxSockets: MOST_CONNECTIONS };
  return (wanted) => {
    return new S3Client({
      credentials,
      ...(isAnonymous ? { signer: UNSIGNED } : {}),
      forcePathStyle,
      // The SDK asks several times a call.
      region: wanted ?? own ?? (() => (ofFiles ??= regionOfFiles())),
      ...(endpoint === undefined ? {} : { endpoint }),
      maxAttempts: 1,
      // A new connection for every upload would be the price of asking first.
      expectContinueHeader: false,
      customUserAgent: "floeplan",
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: idleTimeoutMs,
        httpAgent: agent,
        httpsAgent: agent,
      },
    });
  };
}

/** The SDK asks for keys before it asks the signer, which does not look at them. */
const NOBODY: AwsKeySource = async () => ({ accessKeyId: "anonymous", secretAccessKey: "anonymous" });
const UNSIGNED = { sign: async <Request>(request: Request): Promise<Request> => request };

/** From the configuration files; any will do to be told the right one. */
async function regionOfFiles(): Promise<string> {
  try {
    return await new S3Client({}).config.region();
  } catch {
    return "us-east-1";
  }
}

function keySource({ credentials, region }: S3Options): AwsKeySource {
  if (credentials === undefined) return awsCredentials(region === undefined ? {} : { region });
  return typeof credentials === "function" ? sharedKeys(credentials) : async () => credentials;
}

export function s3CallsThrough(run: RunInBucket<S3Client>): S3Calls {
  const at = ({ bucket, key }: S3Place): { readonly Bucket: string; readonly Key: string } => ({ Bucket: bucket, Key: key });
  return {
    get: async (place, { range, ifMatch }) => {
      const answer = await run(place.bucket, (client) =>
        client.send(
          new GetObjectCommand({
            ...at(place),
            ...(range === null ? {} : { Range: `bytes=${range.offset}-${range.offset + range.lengthBytes - 1}` }),
            ...(ifMatch === null ? {} : { IfMatch: ifMatch }),
          }),
        ),
      );
      return bodyOf(answer);
    },
    head: async (place) => {
      const { ContentLength, Metadata } = await run(place.bucket, (client) => client.send(new HeadObjectCommand(at(place))));
      return { sizeBytes: sizeOf(ContentLength, "Content-Length"), mark: markOf(Metadata) };
    },
    put: async (place, body, { onlyIfAbsent, mark }) => {
      await run(place.bucket, (client) =>
        client.send(
          new PutObjectCommand({
            ...at(place),
            Body: body,
            ...(onlyIfAbsent ? { IfNoneMatch: "*" } : {}),
            ...(mark === null ? {} : { Metadata: { [MARK]: mark } }),
          }),
        ),
      );
    },
    beginUpload: async (place, mark) =>
      await run(place.bucket, async (client) => {
        // S3 refuses parts with a checksum where the upload was begun without one, and the other way round.
        const hasChecksums = (await client.config.requestChecksumCalculation()) === "WHEN_SUPPORTED";
        const { UploadId } = await client.send(
          new CreateMultipartUploadCommand({
            ...at(place),
            ...(hasChecksums ? { ChecksumAlgorithm: "CRC32" } : {}),
            ...(mark === null ? {} : { Metadata: { [MARK]: mark } }),
          }),
        );
        return { place, uploadId: present(UploadId, "UploadId"), hasChecksums };
      }),
    putPart: async ({ place, uploadId, hasChecksums }, number, body, signal) => {
      const { ETag, ChecksumCRC32 } = await run(place.bucket, (client) =>
        client.send(
          new UploadPartCommand({
            ...at(place),
            UploadId: uploadId,
            PartNumber: number,
            Body: body,
            ...(hasChecksums ? { ChecksumAlgorithm: "CRC32" } : {}),
          }),
          { abortSignal: signal },
        ),
      );
      return { number, etag: present(ETag, "ETag"), checksum: ChecksumCRC32 ?? null };
    },
    endUpload: async ({ place, uploadId }, parts) => {
      await run(place.bucket, (client) =>
        client.send(
          new CompleteMultipartUploadCommand({
            ...at(place),
            UploadId: uploadId,
            MultipartUpload: { Parts: parts.map(namedPart) },
          }),
        ),
      );
    },
    abortUpload: async ({ place, uploadId }) => {
      await run(place.bucket, (client) => client.send(new AbortMultipartUploadCommand({ ...at(place), UploadId: uploadId })));
    },
    list: async (bucket, keyPrefix, page) => {
      const answer = await run(bucket, (client) =>
        client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: keyPrefix,
            // XML has no way to write every character that a key may have.
            EncodingType: "url",
            ...(page === null ? {} : { ContinuationToken: page }),
          }),
        ),
      );
      return pageOf(answer);
    },
    remove: async (place) => {
      await run(place.bucket, (client) => client.send(new DeleteObjectCommand(at(place))));
    },
  };
}
