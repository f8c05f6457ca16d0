import {
  EvmAbiLookUp,
  EvmAbiResult,
  EvmImport,
  EvmImportDrafts,
  EvmImportResult,
  ImportDraftsResult,
  Inspect,
  InspectResult,
} from '../triggers/imports.ts'
import type { Route } from './route.ts'

/** From an address to triggers. These routes read the source's chain and services that the operator configures. */
export const importRoutes = {
  findEvmAbi: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/triggers/import/evm/abi',
    noun: 'triggers',
    summary: 'The ABI of an EVM contract, of its implementation if it is a proxy',
    auth: 'account',
    body: EvmAbiLookUp,
    reply: EvmAbiResult,
  },
  importEvm: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/triggers/import/evm',
    noun: 'triggers',
    summary: 'Events and calls of an EVM contract or an ABI',
    auth: 'account',
    body: EvmImport,
    reply: EvmImportResult,
  },
  importEvmDrafts: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/triggers/import/evm/drafts',
    noun: 'triggers',
    summary: 'Drafts of triggers for an EVM contract or an ABI; saves nothing',
    auth: 'account',
    body: EvmImportDrafts,
    reply: ImportDraftsResult,
  },
  inspectAddress: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/triggers/import/inspect',
    noun: 'triggers',
    summary: 'What an address is, what it emits and which calls it gets',
    auth: 'account',
    body: Inspect,
    reply: InspectResult,
  },
} as const satisfies Record<string, Route>
