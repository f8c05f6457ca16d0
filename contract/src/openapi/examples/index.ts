/**
 * Examples of the main operations. Tests send them in the order of this table and compare the answers, so each can be
 * sent as it is by an account that sent the ones before it.
 */
import type { RouteName, Routes } from '../../routes/index.ts'
import type { BodyInput } from '../../routes/route.ts'
import {
  largeTransfers,
  project,
  resource,
  transferItem,
  transferSpec,
  transferTransform,
  trigger,
  workspace,
} from './definition.ts'
import { chainExamples } from './of-chains.ts'

type ExampleOf<Name extends RouteName> = {
  summary: string
  params?: Readonly<Record<string, string>>
  body?: BodyInput<Routes[Name]>
  /** The answer, or a part of it. */
  reply?: unknown
}
export type Example = {
  summary?: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  reply?: unknown
}
/** Requests and answers of a running service, by the name of the operation. */
export type RecordedExamples = Readonly<Partial<Record<RouteName, Example>>>

const given: { [Name in RouteName]?: ExampleOf<Name> } = {
  getHealth: { summary: 'The process runs', reply: { status: 'ok', version: '0.1.0' } },
  getFileSchema: {
    summary: 'The schema of a trigger file, of which this is the beginning',
    params: { kind: 'trigger' },
    reply: { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Trigger', type: 'object' },
  },
  signUp: {
    summary: 'A new account',
    body: { email: 'ann@example.org', password: 'correct horse battery staple', name: 'Ann' },
  },
  signIn: { summary: 'Sign in', body: { email: 'ann@example.org', password: 'correct horse battery staple' } },
  createToken: { summary: 'A token for a build server', body: { name: 'ci' } },
  saveWorkspace: {
    summary: 'A workspace with a title',
    params: { fullname: workspace },
    body: { fullname: workspace, meta: { title: 'Acme' } },
  },
  getWorkspace: { summary: 'The workspace', params: { fullname: workspace } },
  saveProject: {
    summary: 'A private project',
    params: { fullname: project },
    body: {
      name: 'monitors',
      fullname: project,
      workspace,
      public: false,
      accessLevel: 'private',
      meta: { title: 'Monitors', description: 'What we watch on chain.' },
    },
  },
  getProject: { summary: 'The project', params: { fullname: project } },
  saveAddressList: {
    summary: 'Wallets of exchanges',
    params: { fullname: 'acme.exchanges' },
    body: {
      fullname: 'acme.exchanges',
      workspace,
      type: 'evm',
      addresses: ['0x28C6c06298d514Db089934071355E5743bf21d60'],
      meta: { title: 'Exchanges' },
    },
  },
  createAddress: {
    summary: 'A name for an address',
    body: { type: 'evm', address: '0x28C6c06298d514Db089934071355E5743bf21d60', alias: 'Exchange hot wallet' },
  },
  previewTrigger: {
    summary: 'A transform on a transfer',
    body: { providers: [], transform: transferTransform, input: transferItem },
  },
  previewMessage: {
    summary: 'The message of a transfer',
    body: {
      defaults: { title: '{{raw.amount}} moved' },
      output: { raw: { amount: '5' }, human: { amount: '5' } },
      input: transferItem,
      title: 'Large transfers',
      trigger,
    },
  },
  testTrigger: {
    summary: 'The definition on a given transfer',
    body: {
      triggerSpec: transferSpec,
      providers: [],
      transform: transferTransform,
      outputSchema: null,
      input: transferItem,
    },
  },
  validateTriggerDraft: { summary: 'A definition', params: { fullname: trigger }, body: largeTransfers },
  saveTriggerDraft: {
    summary: 'An unfinished definition',
    params: { fullname: trigger },
    body: { ...largeTransfers, transform: null },
  },
  saveTrigger: { summary: 'Large transfers of a token', params: { fullname: trigger }, body: largeTransfers },
  getTrigger: { summary: 'The trigger', params: { fullname: trigger } },
  patchTrigger: {
    summary: 'A new title',
    params: { fullname: trigger },
    body: { set: { 'meta.title': 'Transfers above one million USDC' } },
  },
  patchTriggers: {
    summary: 'A new severity',
    body: { items: [{ fullname: trigger, set: { 'defaults.severity': 'critical' } }], dryRun: true },
  },
  saveResource: {
    summary: 'A webhook',
    params: { fullname: resource },
    body: {
      name: 'ops-webhook',
      fullname: resource,
      workspace,
      blueprint: 'common.delivery.webhook',
      data: { url: 'https://example.org/hooks/tocsin' },
      meta: { title: 'Operations' },
    },
  },
  getResource: { summary: 'The webhook', params: { fullname: resource } },
  createTemplate: {
    summary: 'One topic with one rule',
    params: { fullname: project },
    body: {
      project,
      schema: { minimum: { type: 'string', description: 'The smallest amount in USDC' } },
      groups: [{ name: 'tokens', meta: { title: 'Tokens', description: 'Moves of tokens' } }],
      topics: [{ name: 'large', group: 'tokens', selectedByDefault: true, meta: { title: 'Large transfers' } }],
      rules: [
        {
          id: 'large-transfers',
          trigger,
          topic: 'large',
          conditions: { param: 'value', op: 'gte', value: '{{inputs.minimum}}' },
          deprecated: false,
          requiredValues: ['minimum'],
        },
      ],
      meta: { title: 'Stablecoins', description: 'What large holders do.' },
    },
  },
  createSubscription: {
    summary: 'Alerts of one trigger, at most one in ten minutes',
    body: {
      workspace,
      project,
      trigger,
      conditions: { param: 'value', op: 'gte', value: 5000000 },
      policy: { type: 'throttle', per: '10m' },
      resources: [resource],
      meta: { title: 'Five million and more' },
    },
  },
  planStack: {
    summary: 'A stack with one project',
    params: { fullname: workspace },
    body: {
      stack: 'production',
      entities: [
        {
          kind: 'project',
          payload: {
            name: 'treasury',
            fullname: 'acme.treasury',
            workspace,
            public: false,
            meta: { title: 'Treasury', description: 'Our own wallets.' },
          },
        },
      ],
    },
  },
}

export const examples: Readonly<Partial<Record<RouteName, Example>>> = given

/** What is written here comes before what was recorded. */
export function exampleOf(name: RouteName, recorded: RecordedExamples): Example {
  const ofChain: Readonly<Partial<Record<RouteName, Example>>> = chainExamples
  return { ...recorded[name], ...ofChain[name], ...given[name] }
}
