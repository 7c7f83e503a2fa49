// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
/** @module Interface rea:guide/toggle@0.1.0 **/
export function readConfig(text: string, naming: Naming, bridged: Array<string> | undefined): Configuration;
export function sizes(): Limits;
export function estimateTokens(bytes: bigint): bigint;
export function open(settings: Settings, hosting: Hosting): Switch;
/**
 * # Variants
 * 
 * ## `"dsh"`
 * 
 * ## `"gateway"`
 */
export type Naming = 'dsh' | 'gateway';
export interface Settings {
  servers: Array<string>,
  defaultEnabled: boolean,
}
export interface Configuration {
  settings: Settings,
  shared: Array<string>,
  ignored: Array<string>,
}
/**
 * # Variants
 * 
 * ## `"syntax"`
 * 
 * ## `"missing"`
 * 
 * ## `"wrong-type"`
 * 
 * ## `"empty"`
 * 
 * ## `"unprintable"`
 * 
 * ## `"duplicate"`
 * 
 * ## `"unknown"`
 * 
 * ## `"too-much"`
 */
export type ProblemKind = 'syntax' | 'missing' | 'wrong-type' | 'empty' | 'unprintable' | 'duplicate' | 'unknown' | 'too-much';
export interface Problem {
  kind: ProblemKind,
  field: string,
  detail: string,
}
export interface Hosting {
  naming: Naming,
  statePath: string,
  command: string,
}
export interface Limits {
  documentBytes: number,
  bodyBytes: number,
}
/**
 * # Variants
 * 
 * ## `"connected"`
 * 
 * ## `"down"`
 * 
 * ## `"absent"`
 */
export type ServerState = 'connected' | 'down' | 'absent';
export interface Server {
  name: string,
  state?: ServerState,
}
export interface OwnedNames {
  server: string,
  names: Array<string>,
}
export interface AgentNames {
  agent: string,
  names: Array<string>,
}
export interface Toolset {
  servers: Array<Server>,
  names: Array<string>,
  owned: Array<OwnedNames>,
  agents: Array<AgentNames>,
}
export interface Held {
  mask: Array<string>,
  sections: Array<string>,
}
export interface Agent {
  id: string,
  parent?: string,
  origin?: string,
  names?: Array<string>,
  held?: Held,
}
export interface Ancestor {
  id: string,
  parent?: string,
  origin?: string,
}
export interface Order {
  agent: string,
  conversation: string,
  enabled: boolean,
  mask?: number,
  sections?: Array<string>,
}
export interface Orders {
  masks: Array<Array<string>>,
  agents: Array<Order>,
}
export interface Decision {
  conversation: string,
  enabled: boolean,
  deny: Array<string>,
  sections: Array<string>,
}
/**
 * # Variants
 * 
 * ## `"on"`
 * 
 * ## `"off"`
 * 
 * ## `"flip"`
 */
export type Movement = 'on' | 'off' | 'flip';
export interface Change {
  session: string,
  to: Movement,
}
/**
 * # Variants
 * 
 * ## `"size"`
 * 
 * ## `"encoding"`
 * 
 * ## `"syntax"`
 * 
 * ## `"shape"`
 * 
 * ## `"version"`
 */
export type DamageKind = 'size' | 'encoding' | 'syntax' | 'shape' | 'version';
export interface Damage {
  kind: DamageKind,
  field: string,
  detail: string,
}
export interface Adopted {
  conversations: Array<string>,
  orders: Orders,
  damage?: Damage,
}
export interface Written {
  document: Uint8Array,
  conversation: string,
  enabled: boolean,
  damage?: Damage,
}
/**
 * # Variants
 * 
 * ## `"busy"`
 * 
 * ## `"failed"`
 */
export type StoreFailureKind = 'busy' | 'failed';
export interface StoreFailure {
  kind: StoreFailureKind,
  detail: string,
}
export interface Status {
  session: string,
  conversation: string,
  enabled: boolean,
  known: boolean,
  agents: number,
  tools: number,
  schemaBytes?: bigint,
}
export interface Summary {
  defaultEnabled: boolean,
  servers: Array<[string, ServerState]>,
  conversations: number,
  agents: number,
  tools: number,
  schemaBytes?: bigint,
  statePath: string,
}
export interface Conversation {
  id: string,
  enabled: boolean,
  revision?: bigint,
  agents: number,
}
export interface Reply {
  ok: boolean,
  text: string,
}
export type CommandStep = CommandStepReply | CommandStepChange;
export interface CommandStepReply {
  tag: 'reply',
  val: Reply,
}
export interface CommandStepChange {
  tag: 'change',
  val: Change,
}
export interface HttpRequest {
  method: string,
  query?: string,
  headers: Array<[string, string]>,
  body: Uint8Array,
}
export interface Fence {
  hosts: Array<string>,
  origins: Array<string>,
}
export interface HttpResponse {
  status: number,
  headers: Array<[string, string]>,
  body: string,
}
export interface HttpChange {
  change: Change,
  origin?: string,
}
export type HttpStep = HttpStepResponse | HttpStepChange;
export interface HttpStepResponse {
  tag: 'response',
  val: HttpResponse,
}
export interface HttpStepChange {
  tag: 'change',
  val: HttpChange,
}

export class Switch {
  /**
   * This type does not have a public constructor.
   */
  private constructor();
  adopt(document: Uint8Array | undefined): Adopted;
  prepareWrite(current: Uint8Array | undefined, change: Change): Written;
  toolsChanged(tools: Toolset): Orders;
  sizesTold(sizes: Array<[string, bigint]>): void;
  agentsSeen(agents: Array<Agent>): Orders;
  lineageTold(ancestors: Array<Ancestor>): Orders;
  agentGone(id: string): void;
  holds(agent: string, held: Held): void;
  decision(agent: string): Decision | undefined;
  status(session: string): Status;
  summary(): Summary;
  conversations(): Array<Conversation>;
  command(session: string, input: string): CommandStep;
  commandAnswer(change: Change, failure: StoreFailure | undefined): Reply;
  http(request: HttpRequest, fence: Fence): HttpStep;
  httpAnswer(change: HttpChange, failure: StoreFailure | undefined): HttpResponse;
  liftAll(): Orders;
}
