import type { Store } from '../store/index.ts'
import type { Access } from './handler.ts'
import { Refusal } from './refusal.ts'

type Workspace = NonNullable<Access['workspace']>

/**
 * The store as a token sees it that is bound to one workspace. Lists have the rows of this workspace alone. A look-up that
 * finds something of another workspace is refused. Public sources of others can still be used, like the built-in ones, but
 * the caller has no role in their workspaces.
 */
export function boundStore(store: Store, workspace: Workspace): Store {
  const bound: Partial<Store> = {
    tx: (work) => store.tx((inner) => work(boundStore(inner, workspace))),
    ...boundOwners(store, workspace),
    ...boundDefinitions(store, workspace),
    ...boundFeeds(store, workspace),
    addresses: withoutBook(store),
  }
  return new Proxy(store, { get: (all, name) => Reflect.get(Object.hasOwn(bound, name) ? bound : all, name) })
}

export function outsideWorkspace({ fullname }: Workspace): Refusal {
  return new Refusal('insufficient_scope', `This token is bound to the workspace "${fullname}".`)
}

/** Lets rows of the workspace through, and missing ones. */
function insideOf(workspace: Workspace) {
  return <Row extends { workspace_id: string } | undefined>(row: Row): Row => {
    if (row && row.workspace_id !== workspace.id) throw outsideWorkspace(workspace)
    return row
  }
}

/** The workspace that a list is asked for: this one, whether or not the query names it. */
function requireOwn(asked: string | undefined, own: string, workspace: Workspace): string {
  if (asked !== undefined && asked !== own) throw outsideWorkspace(workspace)
  return own
}

function boundOwners(store: Store, workspace: Workspace): Pick<Store, 'workspaces' | 'projects' | 'transfers'> {
  const { workspaces, projects, transfers } = store
  const { id, fullname } = workspace
  const inside = insideOf(workspace)
  const own = (asked: string | undefined) => requireOwn(asked, fullname, workspace)
  const findWorkspace: Store['workspaces']['findForMember'] = async (name, accountId) => {
    const row = await workspaces.findForMember(name, accountId)
    if (row && row.id !== id) throw outsideWorkspace(workspace)
    return row
  }
  return {
    workspaces: {
      ...workspaces,
      findForMember: findWorkspace,
      async listForMember(accountId, { after = '' }) {
        const row = after < fullname ? await workspaces.findForMember(fullname, accountId) : undefined
        return { rows: row ? [row] : [] }
      },
    },
    projects: {
      ...projects,
      findReadable: async (by, accountId) => inside(await projects.findReadable(by, accountId)),
      listReadable: (accountId, filter, page) =>
        projects.listReadable(accountId, { ...filter, workspace: own(filter.workspace) }, page),
    },
    transfers: {
      ...transfers,
      async findForMember(requestId, accountId) {
        const row = await transfers.findForMember(requestId, accountId)
        if (!row) return undefined
        const source_level = row.source_workspace_id === id ? row.source_level : null
        const target_level = row.target_workspace_id === id ? row.target_level : null
        if (source_level === null && target_level === null) throw outsideWorkspace(workspace)
        return { ...row, source_level, target_level }
      },
      listForManager: (accountId, filter, page) =>
        transfers.listForManager(accountId, { ...filter, workspaceId: id }, page),
    },
  }
}

/** The account's own address book does not belong to the workspace, so its names are not shown. */
function withoutBook({ addresses }: Store): Store['addresses'] {
  return { ...addresses, listForBooks: (_account, workspaceId) => addresses.listForBooks(null, workspaceId) }
}

type Definitions = 'triggers' | 'triggerDrafts' | 'backtests' | 'customSources' | 'resources' | 'addressLists'

function boundDefinitions(store: Store, workspace: Workspace): Pick<Store, Definitions> {
  const { triggers, triggerDrafts, backtests, customSources, resources, addressLists } = store
  const { id, fullname } = workspace
  const inside = insideOf(workspace)
  const own = (asked: string | undefined) => requireOwn(asked, fullname, workspace)
  return {
    triggers: {
      ...triggers,
      findReadable: async (by, accountId) => inside(await triggers.findReadable(by, accountId)),
      findAllReadable: async (names, accountId) => (await triggers.findAllReadable(names, accountId)).map(inside),
      listReadable: (accountId, filter, page) =>
        triggers.listReadable(accountId, { ...filter, workspace: own(filter.workspace) }, page),
    },
    triggerDrafts: {
      ...triggerDrafts,
      findReadable: async (name, accountId) => inside(await triggerDrafts.findReadable(name, accountId)),
    },
    backtests: {
      ...backtests,
      async find(wanted, accountId) {
        const row = await backtests.find(wanted, accountId)
        if (row && row.workspace_id !== id) throw outsideWorkspace(workspace)
        return row
      },
    },
    customSources: {
      ...customSources,
      async findReadable(name, accountId) {
        const row = await customSources.findReadable(name, accountId)
        return row?.public && row.workspace_id !== id ? { ...row, level: null } : inside(row)
      },
      listReadable: (accountId, filter, page) =>
        customSources.listReadable(accountId, { workspace: own(filter.workspace) }, page),
    },
    resources: {
      ...resources,
      findForMember: async (by, accountId) => inside(await resources.findForMember(by, accountId)),
      listForMember: (accountId, filter, page) =>
        resources.listForMember(accountId, { ...filter, workspaceId: id }, page),
    },
    addressLists: {
      ...addressLists,
      findForMember: async (name, accountId) => inside(await addressLists.findForMember(name, accountId)),
      listForMember: (accountId, asked, page) => addressLists.listForMember(accountId, own(asked), page),
    },
  }
}

function boundFeeds(store: Store, workspace: Workspace): Pick<Store, 'subscriptions' | 'alerts' | 'search'> {
  const { subscriptions, alerts, search } = store
  const inside = insideOf(workspace)
  const only = { workspaceId: workspace.id }
  return {
    subscriptions: {
      ...subscriptions,
      find: async (id, accountId) => inside(await subscriptions.find(id, accountId)),
      list: (accountId, filter, page) => subscriptions.list(accountId, { ...filter, ...only }, page),
    },
    alerts: {
      ...alerts,
      find: async (id, accountId) => inside(await alerts.find(id, accountId)),
      listVisible: async (ids, accountId) => (await alerts.listVisible(ids, accountId)).map(inside),
      list: (accountId, filter, page) => alerts.list(accountId, { ...filter, ...only }, page),
      listBytes: (accountId, filter, ...rest) => alerts.listBytes(accountId, { ...filter, ...only }, ...rest),
    },
    search: { ...search, find: (wanted) => search.find({ ...wanted, ...only }) },
  }
}
