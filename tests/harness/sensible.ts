import type { RouteName } from '@tocsin/contract'
import { addressList, customSource, project, resource, subscription, template, trigger } from './records.ts'

/** Represents a valid call of this route. */
export const sensible = '(a sensible payload)'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = { filename: 'dot.png', contentType: 'image/png', data: png }
const definition = {
  triggerSpec: { type: 'timer', interval: '1m' },
  providers: [],
  transform: { source: 'source' },
  outputSchema: {},
}
let made = 0

const bodies: Partial<Record<RouteName, (fullname: string) => unknown>> = {
  signUp: () => ({ email: `fuzz-${++made}@example.org`, password: 'correct horse battery', name: 'Fuzz' }),
  signIn: () => ({ email: 'nobody@example.org', password: 'wrong' }),
  createToken: () => ({ name: 'fuzz' }),
  saveWorkspace: (fullname) => ({ fullname }),
  uploadAvatar: () => image,
  saveAclEntry: () => ({ level: 'user' }),
  saveProject: (fullname) => project(fullname),
  createAccessLink: () => ({ maxUsages: 2 }),
  uploadProjectImage: () => ({ ...image, target: 'icon' }),
  createAddon: () => ({ name: 'extra', state: 'canceled' }),
  saveAddon: () => ({ state: 'canceled' }),
  planTransfer: () => ({ targetWorkspace: 'prey' }),
  createTransferRequest: () => ({ targetWorkspace: 'new-one' }),
  createTemplate: (fullname) => template(fullname),
  saveTemplate: (fullname) => template(fullname),
  saveTrigger: (fullname) => trigger(fullname),
  saveTriggerDraft: (fullname) => trigger(fullname),
  validateTriggerDraft: (fullname) => trigger(fullname),
  patchTrigger: () => ({ set: { 'meta.title': `Title ${++made}`, 'inputs.wallet': 'string' } }),
  patchTriggers: () => ({ items: [{ fullname: 'mine.app.moved', set: { tags: ['a'] } }] }),
  removeTriggers: () => ({ fullnames: ['mine.app.moved'], dryRun: true }),
  previewMessage: () => ({
    ...{ defaults: {}, output: { raw: {}, human: {} }, input: {}, title: 'T', trigger: 'mine.app.moved' },
  }),
  previewTrigger: () => ({ providers: [], transform: { source: 'source' }, input: {} }),
  testTrigger: () => ({ ...definition, input: {} }),
  testTriggerBlock: () => ({ ...definition, block: 1 }),
  testProvider: () => ({
    triggerSpec: definition.triggerSpec,
    provider: { id: 'js', type: 'javascript', source: '1' },
    project: 'mine.app',
  }),
  findLatestBlock: () => ({ triggerSpec: definition.triggerSpec }),
  saveResource: (fullname) =>
    resource(fullname, fullname.endsWith('chat') ? { blueprint: 'common.delivery.telegram' } : {}),
  submitExternalResource: () => ({ transform: { chatId: 1, title: 'Room' } }),
  saveCustomSource: (fullname) => customSource(fullname, { mode: 'update' }),
  verifyCustomSource: () => ({ workspace: 'mine', name: 'x', kind: 'evm', endpoints: ['http://127.0.0.1:9'] }),
  testCustomSourceStatus: () => ({ type: 'error' }),
  backtestTrigger: () => ({ fullname: 'mine.app.moved', lastBlocks: 1 }),
  saveAddressList: (fullname) => addressList(fullname),
  createSubscription: () => subscription('mine.app.moved', { resources: ['mine.hook'] }),
  saveSubscription: () => subscription('mine.app.moved', { meta: { title: `Title ${++made}` } }),
  testSubscription: () => ({ input: { timestampMs: 0 } }),
  createAddress: () => ({ type: 'plain', address: `address ${++made}`, alias: `alias ${made}` }),
  saveAddress: () => ({ type: 'plain', address: `address ${++made}`, alias: `alias ${made}` }),
}

export function sensibleBody(name: RouteName, fullname: string): unknown {
  return bodies[name]?.(fullname) ?? {}
}
