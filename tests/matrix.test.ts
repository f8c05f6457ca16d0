import { type ErrorBody, type Route, type RouteName, routes, type Scope, scopeNames } from '@tocsin/contract'
import { ApiError, type Client } from '@tocsin/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { personFor } from './harness/caller.ts'
import { type Prepared, prepareCalls } from './harness/calls.ts'
import { checkedClient, type Harness, harness, type Person, type Team } from './harness/index.ts'
import { type Mailbox, startMailbox } from './harness/mailbox.ts'

/**
 * Roles × scopes × routes as data: who may call a route, and which error everybody else gets. Each caller has a token with
 * one scope of the route; tokens with the other scopes are refused, whatever the role.
 */

type Caller = 'nobody' | keyof Team
const callers: Caller[] = ['nobody', 'stranger', 'user', 'developer', 'admin', 'owner']

type Rule = Record<Caller, 'through' | 'unauthenticated' | 'forbidden' | 'not_found' | 'upstream_failed'>
const through = 'through' as const

const anybody: Rule = {
  nobody: through,
  stranger: through,
  user: through,
  developer: through,
  admin: through,
  owner: through,
}
const anyAccount: Rule = { ...anybody, nobody: 'unauthenticated' }
const members: Rule = { ...anyAccount, stranger: 'not_found' }
const developers: Rule = { ...members, user: 'forbidden' }
const admins: Rule = { ...developers, developer: 'forbidden' }
const owners: Rule = { ...admins, admin: 'forbidden' }
const ownersBook: Rule = { ...members, user: 'not_found', developer: 'not_found', admin: 'not_found' }
/** The owner's subscription: of the workspace only admins see it. */
const subscribers: Rule = { ...members, user: 'not_found', developer: 'not_found' }
const ownSubscription: Rule = { ...subscribers, admin: 'forbidden' }
/** The node of the source does not answer, which only callers who may read the source see. */
const asked = 'upstream_failed' as const
const membersOfDeadSource: Rule = { ...members, user: asked, developer: asked, admin: asked, owner: asked }
/** Nor does the identity provider. */
const accountsOfDeadProvider: Rule = { ...membersOfDeadSource, stranger: asked }

const matrix: Record<RouteName, Rule> = {
  getHealth: anybody,
  getReady: anybody,
  getFileSchema: anybody,
  signUp: anybody,
  signIn: anybody,
  signInByToken: anybody,
  signOut: anyAccount,
  forgotPassword: anybody,
  resetPassword: anybody,
  getMe: anyAccount,
  saveMe: anyAccount,
  deleteMe: anyAccount,
  changePassword: anyAccount,
  changeEmail: anyAccount,
  requestAddressProof: anyAccount,
  proveAddress: anyAccount,
  listSessions: anyAccount,
  deleteSession: ownersBook,
  getSignInMethods: anybody,
  getSecurity: anyAccount,
  createTotp: anyAccount,
  confirmTotp: anyAccount,
  deleteTotp: anyAccount,
  createRecoveryCodes: anyAccount,
  listPasskeys: anyAccount,
  createPasskeyOptions: anyAccount,
  createPasskey: anyAccount,
  savePasskey: anyAccount,
  deletePasskey: anyAccount,
  createPasskeySignIn: anybody,
  signInByPasskey: anybody,
  createWalletMessage: anybody,
  signInByWallet: anybody,
  linkWallet: anyAccount,
  linkIdentity: accountsOfDeadProvider,
  listIdentities: anyAccount,
  deleteIdentity: anyAccount,
  listTokens: anyAccount,
  createToken: anyAccount,
  deleteToken: ownersBook,

  listWorkspaces: anyAccount,
  getWorkspace: members,
  saveWorkspace: admins,
  deleteWorkspace: owners,
  getWorkspaceCounts: members,
  getWorkspaceSummary: members,
  uploadAvatar: admins,
  getAvatar: anybody,
  listAcl: members,
  joinWorkspace: anyAccount,
  saveAclEntry: admins,
  deleteAclEntry: admins,
  listInvitations: admins,
  createInvitation: admins,
  deleteInvitation: admins,
  listAudit: admins,

  listProjects: anyAccount,
  getProjectCreateCapability: anyAccount,
  openAccessLink: anyAccount,
  getProject: members,
  saveProject: admins,
  deleteProject: owners,
  listAccessLinks: admins,
  createAccessLink: admins,
  deleteAccessLink: admins,
  uploadProjectImage: admins,
  getProjectImage: anybody,
  deleteProjectImage: admins,
  listAddons: admins,
  createAddon: admins,
  saveAddon: admins,
  listProjectSecrets: developers,
  saveProjectSecret: developers,
  deleteProjectSecret: developers,

  planTransfer: owners,
  createTransferRequest: owners,
  listTransferRequests: admins,
  acceptTransfer: owners,
  rejectTransfer: owners,
  cancelTransfer: owners,

  listTemplates: members,
  getRootTemplate: members,
  createTemplate: developers,
  getTemplate: members,
  saveTemplate: developers,
  deleteTemplate: admins,

  listTriggers: members,
  listCoreActions: anyAccount,
  listRuntimeSources: anyAccount,
  previewTrigger: anyAccount,
  previewMessage: anyAccount,
  testTrigger: anyAccount,
  testTriggerBlock: anyAccount,
  testProvider: members,
  findLatestBlock: anyAccount,
  patchTriggers: developers,
  removeTriggers: developers,
  getTrigger: members,
  saveTrigger: developers,
  patchTrigger: developers,
  deleteTrigger: developers,
  getTriggerDraft: developers,
  saveTriggerDraft: developers,
  deleteTriggerDraft: developers,
  validateTriggerDraft: developers,
  getTriggerLogs: developers,
  getTriggerCounts: members,
  getTriggerRuns: developers,
  listTriggerVersions: developers,
  getTriggerVersion: developers,
  restoreTriggerVersion: developers,
  resetTriggerTestStatus: developers,
  backtestTrigger: developers,
  // Those of another account do not exist for anybody else.
  getBacktest: ownersBook,
  stopBacktest: ownersBook,
  getTemplateHelpers: anybody,
  findEvmAbi: members,
  importEvm: members,
  importEvmDrafts: developers,
  inspectAddress: members,
  findSolanaIdl: members,
  importSolanaDrafts: developers,
  getSubstrateSource: membersOfDeadSource,
  listSubstratePallets: membersOfDeadSource,
  getSubstratePallet: membersOfDeadSource,
  importSubstrateDrafts: developers,

  listBlueprints: anyAccount,
  listResources: members,
  getExternalResource: anybody,
  submitExternalResource: anybody,
  confirmEmail: anybody,
  getResource: members,
  saveResource: admins,
  deleteResource: admins,
  testResource: admins,
  getResourceCounts: members,
  createSetupSession: owners,
  getSetupSession: owners,
  cancelSetupSession: owners,

  listChains: anyAccount,
  listCustomSources: anyAccount,
  getSourceHistory: members,
  getCustomSourceCreateCapability: anyAccount,
  verifyCustomSource: developers,
  getCustomSource: members,
  saveCustomSource: developers,
  deleteCustomSource: admins,
  getCustomSourceLogs: developers,
  testCustomSourceStatus: developers,
  restartCustomSource: developers,
  resetCustomSourceLag: developers,

  listAddresses: anyAccount,
  createAddress: anyAccount,
  saveAddress: ownersBook,
  deleteAddress: ownersBook,
  findAddressNames: members,
  listWorkspaceAddresses: members,
  createWorkspaceAddress: developers,
  saveWorkspaceAddress: developers,
  deleteWorkspaceAddress: developers,

  listAddressLists: members,
  getAddressList: members,
  saveAddressList: developers,
  deleteAddressList: developers,

  listSubscriptions: members,
  createSubscription: members,
  getSubscription: subscribers,
  getSubscriptionCounts: subscribers,
  saveSubscription: ownSubscription,
  deleteSubscription: ownSubscription,
  pauseSubscription: ownSubscription,
  resumeSubscription: ownSubscription,
  unsubscribe: anybody,
  previewPolicy: ownSubscription,
  testSubscription: ownSubscription,

  listAlerts: members,
  getAlert: subscribers,
  getAlertValues: subscribers,
  replayAlert: subscribers,
  // It answers for each id; tests/subscriptions.test.ts checks who may replay which alert.
  replayAlerts: anyAccount,
  resendFailed: admins,
  streamEvents: members,

  listStacks: members,
  getStack: members,
  search: anyAccount,

  planStack: developers,
  applyStack: developers,
}

let mail: Mailbox
let house: Harness
let team: Team
let calls: Record<RouteName, Prepared>
/** For each person a token with each scope. */
let tokens: Record<keyof Team, Record<Scope, string>>
/** A token of the owner that may do everything, in another workspace. */
let bound: Client
beforeAll(async () => {
  mail = await startMailbox()
  // Browsers offer passkeys for localhost, not for an IP address.
  house = await harness({
    SECURE_SETUP: 'on',
    HOST: 'localhost',
    SMTP_URL: mail.url,
    MAIL_FROM: 'alerts@tocsin.example',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'tocsin',
  })
  team = await house.team('acme')
  calls = await prepareCalls(house, team)
  const people = Object.keys(team) as (keyof Team)[]
  tokens = await valuesOf(people, (person) => valuesOf(scopeNames, (scope) => makeToken(person, [scope])))
  await team.owner.saveWorkspace({ fullname: 'elsewhere', body: { fullname: 'elsewhere' } })
  bound = checkedClient(house.url, await makeToken('owner', [...scopeNames], 'elsewhere'))
})
afterAll(async () => {
  await house.close()
  await mail.close()
})

const named = Object.entries<Route>(routes) as [RouteName, Route][]

/** These change nothing of a workspace that an audit log could tell: they try something out, belong to an account, or end the log. */
const withoutEntry: RouteName[] = [
  ...named.flatMap(([name, { path }]) => (/^\/api\/(auth|me|addresses)\b/.test(path) ? [name] : [])),
  'deleteWorkspace',
  'planTransfer',
  'planStack',
  'previewTrigger',
  'previewMessage',
  'testTrigger',
  'testTriggerBlock',
  'testProvider',
  'findLatestBlock',
  'backtestTrigger',
  'stopBacktest',
  'validateTriggerDraft',
  'findEvmAbi',
  'importEvm',
  'importEvmDrafts',
  'inspectAddress',
  'findSolanaIdl',
  'importSolanaDrafts',
  'importSubstrateDrafts',
  'verifyCustomSource',
  'testCustomSourceStatus',
  'testResource',
  'testSubscription',
  'previewPolicy',
  // Nothing is to be sent again here. destination-health.test.ts and subscriptions.test.ts look at their entries.
  'resendFailed',
  'replayAlerts',
]

async function countAuditEntries(): Promise<number> {
  const { rows } = await house.database.query('select count(*)::int as count from audit_entries')
  return rows[0].count
}

describe.each(named)('%s', (name, route) => {
  test.each(callers)('%s', async (caller) => {
    const called = caller === 'nobody' ? undefined : await callerFor(name, route, caller)
    const args = await argumentsFor(name, caller, called?.person)
    const before = await countAuditEntries()
    expect(await outcomeOf(called?.client ?? house.nobody, name, args)).toBe(matrix[name][caller])
    const leavesEntry = matrix[name][caller] === through && route.method !== 'GET' && !withoutEntry.includes(name)
    expect((await countAuditEntries()) > before).toBe(leavesEntry)
  })
})

const scoped = named.filter(([, route]) => route.auth === 'account' && route.scopes !== 'any')

test.each(scoped)('%s refuses tokens without its scope before it reads the request', async (_, route) => {
  const path = route.path.replaceAll(/:\w+/g, 'acme')
  const refused = scopeNames.filter((scope) => !scopesOf(route).includes(scope))
  const replies = Object.values(tokens).flatMap((own) =>
    refused.map((scope) =>
      fetch(`${house.url}${path}`, { method: route.method, headers: { authorization: `Bearer ${own[scope]}` } }),
    ),
  )
  for (const reply of await Promise.all(replies))
    expect([reply.status, ((await reply.json()) as ErrorBody).error.code]).toEqual([403, 'insufficient_scope'])
})

const ofSessions = scoped.filter(([, route]) => route.sessionOnly)

test.each(ofSessions)('%s refuses every token, also one of all scopes with the password', async (name) => {
  const { person } = await callerFor(name, routes[name], 'owner')
  const { token } = await person.createToken({ body: { name: 'all' } })
  const args = await calls[name](person)
  expect(await outcomeOf(checkedClient(house.url, token), name, args)).toBe('insufficient_scope')
})

test('each way to sign in and each second factor is added and removed in a session alone', () => {
  expect(ofSessions.map(([name]) => name).toSorted()).toEqual([
    'confirmTotp',
    'createPasskey',
    'createPasskeyOptions',
    'createRecoveryCodes',
    'createTotp',
    'deleteIdentity',
    'deletePasskey',
    'deleteTotp',
    'linkIdentity',
    'linkWallet',
  ])
})

/** These reply without anything of a workspace. */
const withoutWorkspace: RouteName[] = [
  'previewTrigger',
  'previewMessage',
  'testTrigger',
  'testTriggerBlock',
  'findLatestBlock',
]

test.each(scoped)(
  '%s shows and changes nothing outside the workspace that a token is bound to',
  async (name, route) => {
    const needsRecord = !/:(fullname|workspace)|^\/api\/me\//.test(route.path)
    const answer = await answerOf(bound, name, needsRecord ? await calls[name](team.owner) : anyArgumentsOf(route))
    if (route.method === 'GET' && answer !== 'insufficient_scope') expect(JSON.stringify(answer)).not.toContain('acme')
    else if (!withoutWorkspace.includes(name)) expect(answer).toBe('insufficient_scope')
  },
)

const puts = Object.entries<Route>(routes).flatMap(([name, { method }]) =>
  method === 'PUT' ? [name as RouteName] : [],
)
test.each(puts)('%s overwrites nothing when it is sent with If-None-Match: *', async (name) => {
  const owner = await personFor(house, name, team.owner)
  const args = (await calls[name](owner)) as object
  expect(await outcomeOf(owner, name, args)).toBe(through)
  expect(await outcomeOf(owner, name, { ...args, ifNoneMatch: '*' })).toBe('precondition_failed')
})

/** The arguments that the last caller of a route could not use. */
const unused = new Map<RouteName, unknown>()

/** A refused call must change nothing, so the next caller gets the same arguments, unless they depend on the caller. */
async function argumentsFor(name: RouteName, caller: Caller, person?: Person): Promise<unknown> {
  const prepare = calls[name]
  if (prepare.length > 0) return prepare(person)
  const args = unused.get(name) ?? (await prepare())
  if (matrix[name][caller] === through) unused.delete(name)
  else unused.set(name, args)
  return args
}

/** The person calls with a token that has the scope of the route alone. */
async function callerFor(
  name: RouteName,
  route: Route,
  caller: keyof Team,
): Promise<{ client: Client; person: Person }> {
  const [scope] = scopesOf(route)
  const person = await personFor(house, name, team[caller])
  if (!scope || route.sessionOnly) return { client: person, person }
  const { token } =
    person === team[caller]
      ? { token: tokens[caller][scope] }
      : await person.createToken({ body: { name: scope, scopes: [scope] } })
  return { client: checkedClient(house.url, token), person }
}

function scopesOf(route: Route): readonly Scope[] {
  return route.auth === 'none' || route.scopes === 'any' ? [] : route.scopes
}

async function makeToken(person: keyof Team, scopes: Scope[], workspace?: string): Promise<string> {
  return (await team[person].createToken({ body: { name: scopes.join(' '), scopes, workspace } })).token
}

async function valuesOf<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Promise<Value>) {
  const entries = await Promise.all(keys.map(async (key) => [key, await make(key)] as const))
  return Object.fromEntries(entries) as Record<Key, Value>
}

/** For a call that is refused by the name of its workspace, before anything else is read. */
function anyArgumentsOf({ path, method }: Route) {
  const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'acme.x']))
  return { ...params, ...(method !== 'GET' && { body: {} }) }
}

/** Only the outcome counts: an allowed caller gets a reply. */
async function outcomeOf(client: Client, name: RouteName, args: unknown): Promise<string> {
  const answer = await answerOf(client, name, args)
  return typeof answer === 'string' ? answer : through
}

/** The reply, or the code of the refusal. */
async function answerOf(client: Client, name: RouteName, args: unknown): Promise<unknown> {
  try {
    const answer = await (client[name] as (args: unknown) => Promise<unknown>)(args)
    if (name === 'streamEvents') await (answer as AsyncGenerator).return(undefined)
    return { answer }
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}
