import type { RouteName, SourceKind } from '@tocsin/contract'
import { totpCode, totpStep } from '../../server/src/domain/accounts/totp.ts'
import { confirmationToken } from '../../server/src/domain/resources/confirmation.ts'
import { addAlert } from './alerts.ts'
import {
  addressList,
  checkedClient,
  customSource,
  type Harness,
  type Person,
  project,
  resource,
  subscription,
  type Team,
  template,
  trigger,
} from './index.ts'
import { makePasskey } from './passkey.ts'
import { makeWallet } from './wallet.ts'

/** Creates what a route needs and returns arguments with which an allowed caller succeeds. */
export type Prepared = (caller?: Person) => Promise<unknown>

const png = {
  filename: 'dot.png',
  contentType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

const contract = `0x${'11'.repeat(20)}`
const programId = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)'

/** A call of every route in a workspace `acme` with the given team, at a service that can send mail. */
export async function prepareCalls(house: Harness, team: Team): Promise<Record<RouteName, Prepared>> {
  let made = 0
  const { owner } = team
  const fresh = (kind: string) => `${kind}-${++made}`
  const password = 'correct horse battery'

  const someProject = async () => {
    const fullname = `acme.${fresh('p')}`
    await owner.saveProject({ fullname, body: project(fullname, { visibility: 'private_link' }) })
    return fullname
  }
  const someTrigger = async () => {
    const fullname = `${await someProject()}.moved`
    await owner.saveTrigger({ fullname, body: trigger(fullname) })
    return fullname
  }
  const someBacktest = async () => {
    const id = fresh('backtest')
    const range = { workspaceId: null, fromBlock: 0, toBlock: 19_999 }
    await house.service.store.backtests.add({ id, accountId: owner.id, ...range }, house.clock.now())
    return id
  }
  const someDraft = async () => {
    const fullname = await someTrigger()
    await owner.saveTriggerDraft({ fullname, body: trigger(fullname) })
    return fullname
  }
  const someTemplate = async () => {
    const fullname = await someProject()
    const { id } = await owner.createTemplate({ fullname, body: template(fullname) })
    return { fullname, id }
  }
  const someResource = async (blueprint = 'common.delivery.webhook', more: Parameters<typeof resource>[1] = {}) => {
    const fullname = `acme.${fresh('r')}`
    return owner.saveResource({ fullname, body: resource(fullname, { blueprint, ...more }) })
  }
  /** Nothing listens at this address, so a test message gets the same answer with and without a network. */
  const localData = { data: { url: 'http://127.0.0.1:9/hook' } }
  const someSession = async () => {
    const { fullname } = await someResource('common.delivery.telegram')
    const { id } = await owner.createSetupSession({ fullname })
    return { fullname, id }
  }
  const someSource = async () => {
    const fullname = `acme.${fresh('s')}`
    await owner.saveCustomSource({ fullname, body: customSource(fullname) })
    return fullname
  }
  /** A source whose node is not there, which a request learns at once. */
  const deadSource = async (kind: SourceKind = 'evm') => {
    const fullname = `acme.${fresh('s')}`
    const body = customSource(fullname, { kind, endpoints: ['http://127.0.0.1:9'] })
    await owner.saveCustomSource({ fullname, body })
    return fullname
  }
  const someList = async () => {
    const fullname = `acme.${fresh('list')}`
    await owner.saveAddressList({ fullname, body: addressList(fullname) })
    return fullname
  }
  const someSubscription = async () => {
    const trigger = await someTrigger()
    return owner.createSubscription({ body: subscription(trigger) })
  }
  const someAlert = async () => {
    const { id, trigger = '' } = await someSubscription()
    return addAlert(house.databaseUrl, { subscriptionId: id, trigger, at: house.clock.now() })
  }
  const someStack = async () => {
    const fullname = `${await someProject()}.planned`
    return { stack: fresh('stack'), entities: [{ kind: 'trigger' as const, payload: trigger(fullname) }] }
  }
  const someAddon = async () => {
    const fullname = await someProject()
    const { id } = await owner.createAddon({ fullname, body: { name: 'extra' } })
    return { fullname, id }
  }
  const someMember = async () => {
    const { invite } = await owner.getWorkspace({ fullname: 'acme' })
    const member = await house.person('member')
    await member.joinWorkspace({ workspace: 'acme', body: { invite: invite ?? '' } })
    const acl = await owner.listAcl({ workspace: 'acme' })
    return acl.find(({ user }) => user.id === member.id)?.id ?? ''
  }
  const someInvitation = async () => {
    const body = { email: `${fresh('guest')}@example.org` }
    return (await owner.createInvitation({ fullname: 'acme', body })).id
  }
  const someImage = async () => {
    const fullname = await someProject()
    const { fileName } = await owner.uploadProjectImage({ fullname, body: { ...png, target: 'icon' } })
    return { fullname, asset: fileName }
  }
  /** A transfer request from another workspace into `acme`, for routes that decide about incoming requests. */
  const incoming = async () => {
    const other = await house.person('other')
    const workspace = fresh('w')
    await other.saveWorkspace({ fullname: workspace, body: { fullname: workspace } })
    const fullname = `${workspace}.${fresh('moving')}`
    await other.saveProject({ fullname, body: project(fullname) })
    const { id } = await other.createTransferRequest({ fullname, body: { targetWorkspace: 'acme' } })
    return { id }
  }
  const target = await house.person('target')
  await target.saveWorkspace({ fullname: 'target', body: { fullname: 'target' } })
  /** A transfer request out of a workspace with the same team. Each has its own workspace, because an account may create only a few per hour. */
  const outgoing = async () => {
    house.clock.advance(3_600_001)
    const fullname = await someProject()
    const { id } = await owner.createTransferRequest({ fullname, body: { targetWorkspace: 'target' } })
    return { id }
  }
  /** The current code of a new authenticator app. */
  const startTotp = async (person: Person | undefined) => {
    const totp = await person?.createTotp({ body: { password } })
    return totp && totpCode(totp.secret, totpStep(house.clock.now()))
  }
  const addTotp = async (person: Person | undefined) => {
    await person?.confirmTotp({ body: { code: (await startTotp(person)) ?? '' } })
  }
  const addPasskey = async (person: Person | undefined) => {
    const passkey = makePasskey(house.url)
    const options = await person?.createPasskeyOptions({ body: { password } })
    if (!options) return undefined
    await person?.createPasskey({ body: { name: 'laptop', response: passkey.create(options) } })
    return passkey
  }
  const anAddress = () => ({ type: 'plain' as const, address: fresh('address'), alias: fresh('alias') })
  const someShared = async () => (await owner.createWorkspaceAddress({ workspace: 'acme', body: anAddress() })).id
  const messageParts = { defaults: {}, output: { raw: {}, human: {} }, input: {}, title: 'T' }
  const definition = {
    triggerSpec: { type: 'timer', interval: '1m' },
    providers: [],
    transform: { source: 'source' },
    outputSchema: {},
  }

  return {
    getHealth: async () => ({}),
    getReady: async () => ({}),
    getFileSchema: async () => ({ kind: 'trigger' }),
    signUp: async () => ({ body: { email: `${fresh('new')}@example.org`, password, name: 'New' } }),
    signIn: async () => ({ body: { email: owner.email, password } }),
    signInByToken: async () => ({ body: { token: owner.token } }),
    signOut: async () => ({}),
    forgotPassword: async () => ({ body: { email: owner.email } }),
    resetPassword: async () => {
      const token = fresh('reset')
      const at = house.clock.now()
      const forgetful = await house.person('forgetful')
      await house.service.store.passwordResets.add(forgetful, token, new Date(at.getTime() + 60_000), at)
      return { body: { token, password } }
    },
    getMe: async () => ({}),
    saveMe: async () => ({ body: { name: 'Renamed' } }),
    deleteMe: async () => ({ body: { password } }),
    changePassword: async () => ({ body: { current: password, next: password } }),
    changeEmail: async (caller) => ({ body: { email: caller?.email ?? 'nobody@example.org', password } }),
    requestAddressProof: async () => ({}),
    proveAddress: async (caller) => {
      const token = fresh('proof')
      const proof = { accountId: caller?.id, emailKey: caller?.email }
      await house.service.store.challenges.add('e-mail', token, proof, new Date(house.clock.now().getTime() + 60_000))
      return { body: { token } }
    },
    listSessions: async () => ({}),
    deleteSession: async () => {
      const { token } = await house.nobody.signIn({ body: { email: owner.email, password } })
      const sessions = await checkedClient(house.url, token).listSessions()
      return { id: sessions.find(({ current }) => current)?.id ?? '' }
    },
    getSignInMethods: async () => ({}),
    getSecurity: async () => ({}),
    createTotp: async () => ({ body: { password } }),
    confirmTotp: async (caller) => ({ body: { code: (await startTotp(caller)) ?? '000000' } }),
    deleteTotp: async (caller) => {
      await addTotp(caller)
      return { body: { password } }
    },
    createRecoveryCodes: async (caller) => {
      await addTotp(caller)
      return { body: { password } }
    },
    listPasskeys: async () => ({}),
    createPasskeyOptions: async () => ({ body: { password } }),
    createPasskey: async (caller) => {
      const options = (await caller?.createPasskeyOptions({ body: { password } })) ?? { challenge: 'none' }
      return { body: { name: 'laptop', response: makePasskey(house.url).create(options) } }
    },
    savePasskey: async (caller) => ({ id: (await addPasskey(caller))?.id ?? 'none', body: { name: 'desk' } }),
    deletePasskey: async (caller) => ({ id: (await addPasskey(caller))?.id ?? 'none', body: { password } }),
    createPasskeySignIn: async () => ({}),
    createWalletMessage: async () => ({ body: { address: contract } }),
    signInByWallet: async () => ({ body: await makeWallet().sign(house) }),
    linkWallet: async () => ({ body: { ...(await makeWallet().sign(house)), password } }),
    linkIdentity: async () => ({ body: { password, next: '/account' } }),
    listIdentities: async () => ({}),
    deleteIdentity: async (caller) => {
      await caller?.linkWallet({ body: { ...(await makeWallet().sign(house)), password } })
      const [identity] = (await caller?.listIdentities()) ?? []
      return { id: identity?.id ?? 'none', body: { password } }
    },
    signInByPasskey: async () => {
      const passkey = await addPasskey(await house.person('keyholder'))
      return { body: { response: passkey?.get(await house.nobody.createPasskeySignIn()) } }
    },
    listTokens: async () => ({}),
    createToken: async () => ({ body: { name: 'ci', scopes: ['admin'] } }),
    deleteToken: async () => ({ id: (await owner.createToken({ body: { name: 'mine' } })).id }),

    listWorkspaces: async () => ({}),
    getWorkspace: async () => ({ fullname: 'acme' }),
    saveWorkspace: async () => ({ fullname: 'acme', body: { fullname: 'acme' } }),
    deleteWorkspace: async () => ({ fullname: await emptyWorkspace(fresh('empty'), team) }),
    getWorkspaceCounts: async () => ({ fullname: 'acme' }),
    getWorkspaceSummary: async () => ({ fullname: 'acme' }),
    uploadAvatar: async () => ({ fullname: 'acme', body: png }),
    getAvatar: async () => ({
      fullname: 'acme',
      fileName: (await owner.uploadAvatar({ fullname: 'acme', body: png })).fileName,
    }),
    listAcl: async () => ({ workspace: 'acme' }),
    joinWorkspace: async () => {
      const fullname = fresh('joined')
      const { invite } = await target.saveWorkspace({ fullname, body: { fullname } })
      return { workspace: fullname, body: { invite } }
    },
    saveAclEntry: async () => ({ workspace: 'acme', entryId: await someMember(), body: { level: 'developer' } }),
    deleteAclEntry: async () => ({ workspace: 'acme', entryId: await someMember() }),
    listInvitations: async () => ({ fullname: 'acme' }),
    createInvitation: async () => ({ fullname: 'acme', body: { email: `${fresh('guest')}@example.org` } }),
    deleteInvitation: async () => ({ fullname: 'acme', id: await someInvitation() }),
    listAudit: async () => ({ fullname: 'acme' }),

    listProjects: async () => ({}),
    getProjectCreateCapability: async () => ({}),
    openAccessLink: async () => ({ token: (await owner.createAccessLink({ fullname: await someProject() })).token }),
    getProject: async () => ({ fullname: await someProject() }),
    saveProject: async () => {
      const fullname = await someProject()
      return { fullname, body: project(fullname) }
    },
    deleteProject: async () => ({ fullname: await someProject() }),
    listAccessLinks: async () => ({ fullname: await someProject() }),
    createAccessLink: async () => ({ fullname: await someProject() }),
    deleteAccessLink: async () => {
      const fullname = await someProject()
      return { fullname, id: (await owner.createAccessLink({ fullname })).id }
    },
    uploadProjectImage: async () => ({ fullname: await someProject(), body: { ...png, target: 'icon' } }),
    getProjectImage: someImage,
    deleteProjectImage: someImage,
    listAddons: async () => ({ fullname: await someProject() }),
    createAddon: async () => ({ fullname: await someProject(), body: { name: 'extra' } }),
    saveAddon: async () => ({ ...(await someAddon()), body: { state: 'active' } }),
    listProjectSecrets: async () => ({ fullname: await someProject() }),
    saveProjectSecret: async () => ({ fullname: await someProject(), name: 'key', body: { value: 'a-value' } }),
    deleteProjectSecret: async () => {
      const fullname = await someProject()
      await owner.saveProjectSecret({ fullname, name: 'key', body: { value: 'a-value' } })
      return { fullname, name: 'key' }
    },

    planTransfer: async () => ({ fullname: await someProject(), body: { targetWorkspace: 'target' } }),
    createTransferRequest: async () => {
      house.clock.advance(3_600_001)
      return { fullname: await someProject(), body: { targetWorkspace: 'target' } }
    },
    listTransferRequests: async () => ({ query: { workspace: 'acme' } }),
    acceptTransfer: incoming,
    rejectTransfer: incoming,
    cancelTransfer: outgoing,

    listTemplates: async () => ({ fullname: await someProject() }),
    getRootTemplate: async () => ({ fullname: (await someTemplate()).fullname }),
    createTemplate: async () => {
      const fullname = await someProject()
      return { fullname, body: template(fullname) }
    },
    getTemplate: someTemplate,
    saveTemplate: async () => {
      const made = await someTemplate()
      return { ...made, body: template(made.fullname) }
    },
    deleteTemplate: someTemplate,

    listTriggers: async () => ({ query: { project: await someProject() } }),
    listCoreActions: async () => ({}),
    listRuntimeSources: async () => ({}),
    previewMessage: async () => ({ body: { ...messageParts, trigger: await someTrigger() } }),
    previewTrigger: async () => ({ body: { providers: [], transform: { source: 'source' }, input: {} } }),
    testTrigger: async () => ({ body: { ...definition, input: {} } }),
    testTriggerBlock: async () => ({ body: { ...definition, block: 1 } }),
    testProvider: async () => ({
      body: {
        triggerSpec: definition.triggerSpec,
        provider: { id: 'price', type: 'http', url: 'http://127.0.0.1:9' },
        project: await someProject(),
      },
    }),
    findLatestBlock: async () => ({ body: { triggerSpec: definition.triggerSpec } }),
    patchTriggers: async () => ({ body: { items: [{ fullname: await someTrigger(), set: { 'meta.title': 'New' } }] } }),
    removeTriggers: async () => ({ body: { fullnames: [await someTrigger()] } }),
    getTrigger: async () => ({ fullname: await someTrigger() }),
    saveTrigger: async () => {
      const fullname = `${await someProject()}.new`
      return { fullname, body: trigger(fullname) }
    },
    patchTrigger: async () => ({ fullname: await someTrigger(), body: { set: { 'meta.title': 'New' } } }),
    deleteTrigger: async () => ({ fullname: await someTrigger() }),
    getTriggerDraft: async () => ({ fullname: await someDraft() }),
    saveTriggerDraft: async () => {
      const fullname = `${await someProject()}.drafted`
      return { fullname, body: trigger(fullname) }
    },
    deleteTriggerDraft: async () => ({ fullname: await someDraft() }),
    validateTriggerDraft: async () => {
      const fullname = await someTrigger()
      return { fullname, body: trigger(fullname) }
    },
    getTriggerLogs: async () => ({ fullname: await someTrigger() }),
    listTriggerVersions: async () => ({ fullname: await someTrigger() }),
    getTriggerVersion: async () => ({ fullname: await someTrigger(), number: '1' }),
    restoreTriggerVersion: async () => ({ fullname: await someTrigger(), number: '1' }),
    getTriggerCounts: async () => ({ fullname: await someTrigger() }),
    getTriggerRuns: async () => ({ fullname: await someTrigger() }),
    resetTriggerTestStatus: async () => {
      const fullname = await someTrigger()
      await owner.saveTrigger({ fullname, body: trigger(fullname, { status: { status: 'ready' } }) })
      return { fullname }
    },
    backtestTrigger: async () => ({ body: { fullname: await someTrigger(), lastBlocks: 1 } }),
    getBacktest: async () => ({ id: await someBacktest() }),
    stopBacktest: async () => ({ id: await someBacktest() }),
    getTemplateHelpers: async () => ({}),
    findEvmAbi: async () => ({ body: { source: await deadSource(), contract } }),
    importEvm: async () => ({ body: { project: await someProject(), source: await deadSource(), abi: transfer } }),
    importEvmDrafts: async () => ({
      body: { project: await someProject(), source: await deadSource(), abi: transfer },
    }),
    inspectAddress: async () => ({ body: { source: await deadSource(), address: contract } }),
    findSolanaIdl: async () => ({ body: { source: await deadSource('solana'), programId } }),
    importSolanaDrafts: async () => ({
      body: { project: await someProject(), source: await deadSource('solana'), programId, idl: { instructions: [] } },
    }),
    getSubstrateSource: async () => ({ query: { source: await deadSource('substrate') } }),
    listSubstratePallets: async () => ({ query: { source: await deadSource('substrate') } }),
    getSubstratePallet: async () => ({ query: { source: await deadSource('substrate'), pallet: 'Balances' } }),
    importSubstrateDrafts: async () => ({
      body: { project: await someProject(), source: await deadSource('substrate'), pallets: ['Balances'] },
    }),

    listBlueprints: async () => ({}),
    listResources: async () => ({ query: { workspace: 'acme' } }),
    getExternalResource: async () => ({ token: (await someResource('common.delivery.telegram')).token }),
    submitExternalResource: async () => ({
      token: (await someResource('common.delivery.telegram')).token,
      body: { transform: null },
    }),
    confirmEmail: async () => {
      const fullname = `acme.${fresh('mail')}`
      const body = resource(fullname, { blueprint: 'common.delivery.email', data: { to: 'ann@example.org' } })
      const { id } = await owner.saveResource({ fullname, body })
      return { token: confirmationToken(house.service.store, id, 'ann@example.org', house.clock.now()) }
    },
    getResource: async () => ({ fullname: (await someResource()).fullname }),
    saveResource: async () => {
      const { fullname } = await someResource()
      return { fullname, body: resource(fullname) }
    },
    deleteResource: async () => ({ fullname: (await someResource()).fullname }),
    testResource: async () => ({ fullname: (await someResource(undefined, localData)).fullname }),
    getResourceCounts: async () => ({ fullname: (await someResource()).fullname }),
    createSetupSession: async () => ({ fullname: (await someResource('common.delivery.telegram')).fullname }),
    getSetupSession: someSession,
    cancelSetupSession: someSession,

    listChains: async () => ({}),
    listCustomSources: async () => ({}),
    getCustomSourceCreateCapability: async () => ({}),
    verifyCustomSource: async () => ({
      body: { workspace: 'acme', name: 'main', kind: 'evm', endpoints: ['http://127.0.0.1:9'] },
    }),
    getCustomSource: async () => ({ fullname: await someSource() }),
    saveCustomSource: async () => {
      const fullname = await someSource()
      return { fullname, body: customSource(fullname, { mode: 'update' }) }
    },
    deleteCustomSource: async () => ({ fullname: await someSource() }),
    getCustomSourceLogs: async () => ({ fullname: await someSource() }),
    getSourceHistory: async () => ({ fullname: await someSource() }),
    testCustomSourceStatus: async () => ({ fullname: await someSource(), body: { type: 'error' } }),
    restartCustomSource: async () => ({ fullname: await someSource(), body: {} }),
    resetCustomSourceLag: async () => ({ fullname: await someSource(), body: {} }),

    listAddresses: async () => ({}),
    createAddress: async () => ({ body: anAddress() }),
    saveAddress: async () => ({ id: (await owner.createAddress({ body: anAddress() })).id, body: anAddress() }),
    deleteAddress: async () => ({ id: (await owner.createAddress({ body: anAddress() })).id }),
    listWorkspaceAddresses: async () => ({ workspace: 'acme' }),
    createWorkspaceAddress: async () => ({ workspace: 'acme', body: anAddress() }),
    saveWorkspaceAddress: async () => ({ workspace: 'acme', id: await someShared(), body: anAddress() }),
    deleteWorkspaceAddress: async () => ({ workspace: 'acme', id: await someShared() }),
    findAddressNames: async () => ({ body: { source: await deadSource(), addresses: [contract] } }),

    listAddressLists: async () => ({ query: { workspace: 'acme' } }),
    getAddressList: async () => ({ fullname: await someList() }),
    saveAddressList: async () => {
      const fullname = await someList()
      return { fullname, body: addressList(fullname) }
    },
    deleteAddressList: async () => ({ fullname: await someList() }),

    listSubscriptions: async () => ({ query: { workspace: 'acme' } }),
    createSubscription: async () => ({ body: subscription(await someTrigger()) }),
    getSubscription: async () => ({ id: (await someSubscription()).id }),
    getSubscriptionCounts: async () => ({ id: (await someSubscription()).id }),
    saveSubscription: async () => {
      const { id, trigger = '' } = await someSubscription()
      return { id, body: subscription(trigger) }
    },
    deleteSubscription: async () => ({ id: (await someSubscription()).id }),
    pauseSubscription: async () => ({ id: (await someSubscription()).id }),
    resumeSubscription: async () => {
      const { id } = await someSubscription()
      await owner.pauseSubscription({ id })
      return { id }
    },
    unsubscribe: async () => ({
      token: house.service.store.signatures.sign('unsubscribe', (await someSubscription()).id),
    }),
    previewPolicy: async () => ({
      id: (await someSubscription()).id,
      body: { policy: { type: 'threshold', value: 'amount', above: 5 } },
    }),
    testSubscription: async () => ({ id: (await someSubscription()).id, body: { input: { timestampMs: 0 } } }),

    listAlerts: async () => ({ query: { workspace: 'acme' } }),
    getAlert: async () => ({ id: await someAlert() }),
    getAlertValues: async () => ({ id: await someAlert() }),
    replayAlert: async () => ({ id: await someAlert() }),
    replayAlerts: async () => ({ body: { ids: [await someAlert()] } }),
    search: async () => ({ query: { q: 'acme' } }),
    resendFailed: async () => ({ fullname: 'acme', body: { since: house.clock.now().toISOString() } }),
    streamEvents: async () => ({ query: { workspace: 'acme' } }),

    listStacks: async () => ({ fullname: 'acme', query: {} }),
    getStack: async () => {
      const labels = { 'tocsin.stack': fresh('stack') }
      const fullname = `acme.${fresh('p')}`
      await owner.saveProject({ fullname, body: project(fullname, { labels }) })
      return { fullname: 'acme', stack: labels['tocsin.stack'] }
    },
    planStack: async () => ({ fullname: 'acme', body: await someStack() }),
    applyStack: async () => {
      const body = await someStack()
      const { planHash } = await owner.planStack({ fullname: 'acme', body })
      return { fullname: 'acme', body: { ...body, expectedPlanHash: planHash } }
    },
  }
}

/** An empty workspace with the same people in the same roles. */
async function emptyWorkspace(fullname: string, team: Team): Promise<string> {
  const { invite } = await team.owner.saveWorkspace({ fullname, body: { fullname } })
  for (const level of ['admin', 'developer', 'user'] as const) {
    await team[level].joinWorkspace({ workspace: fullname, body: { invite: invite ?? '' } })
    const acl = await team.owner.listAcl({ workspace: fullname })
    const entryId = acl.find(({ user }) => user.id === team[level].id)?.id ?? ''
    await team.owner.saveAclEntry({ workspace: fullname, entryId, body: { level } })
  }
  return fullname
}
