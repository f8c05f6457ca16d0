/**
 * The names of the schemas in the OpenAPI document: the id that a schema gives itself, else the name of its export. A
 * schema whose answers differ from its payloads has two forms, and the one in answers ends in `View`.
 */
import * as z from 'zod'
import * as accounts from '../accounts.ts'
import * as addons from '../addons.ts'
import * as addressLists from '../address-lists.ts'
import * as addresses from '../addresses.ts'
import * as alerts from '../alerts.ts'
import * as audit from '../audit.ts'
import * as backtests from '../backtests.ts'
import { shapeOf } from '../base/loose.ts'
import * as chains from '../chains/index.ts'
import * as counts from '../counts.ts'
import * as customSources from '../custom-sources.ts'
import * as invitations from '../invitations.ts'
import * as messagePreviews from '../message-previews.ts'
import * as policyPreviews from '../policy-previews.ts'
import * as projectSecrets from '../project-secrets.ts'
import * as projects from '../projects.ts'
import * as resources from '../resources.ts'
import * as search from '../search.ts'
import * as secondFactors from '../second-factors.ts'
import * as stacks from '../stacks.ts'
import * as subscriptions from '../subscriptions.ts'
import * as templates from '../templates.ts'
import * as transfers from '../transfers.ts'
import * as chainImports from '../triggers/chain-imports.ts'
import * as conditions from '../triggers/conditions.ts'
import * as coreActions from '../triggers/core-actions.ts'
import * as imports from '../triggers/imports.ts'
import * as policies from '../triggers/policies/index.ts'
import * as providers from '../triggers/providers/index.ts'
import * as fieldSchemas from '../triggers/schemas.ts'
import * as scripts from '../triggers/scripts.ts'
import * as sourceBindings from '../triggers/source-bindings.ts'
import * as templateHelpers from '../triggers/template-helpers.ts'
import * as triggerDefinition from '../triggers/trigger-definition.ts'
import * as triggerParts from '../triggers/trigger-parts.ts'
import * as triggerSpec from '../triggers/trigger-spec.ts'
import * as triggers from '../triggers/triggers.ts'
import * as tryOuts from '../triggers/try-outs.ts'
import * as workspaceSummary from '../workspace-summary.ts'
import * as workspaces from '../workspaces.ts'
import { type Io, type Json, openForAdditions } from './json-schema.ts'

const modules = [
  accounts,
  addons,
  addressLists,
  addresses,
  alerts,
  chains,
  counts,
  audit,
  customSources,
  invitations,
  messagePreviews,
  policyPreviews,
  projectSecrets,
  projects,
  resources,
  search,
  secondFactors,
  stacks,
  subscriptions,
  templates,
  transfers,
  backtests,
  chainImports,
  conditions,
  coreActions,
  imports,
  policies,
  providers,
  fieldSchemas,
  scripts,
  sourceBindings,
  templateHelpers,
  triggerDefinition,
  triggerParts,
  triggerSpec,
  triggers,
  tryOuts,
  workspaces,
  workspaceSummary,
]

/** Texts have no name of their own in the document: a reference would hide their length from a reader. */
function exportedNames(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  for (const [name, value] of modules.flatMap((module) => Object.entries<unknown>(module)))
    if (value instanceof z.ZodType && !(value instanceof z.ZodString) && !names.has(value)) names.set(value, name)
  return names
}

/** What zod asks for the id of a schema. */
export class NamedSchemas extends z.core.$ZodRegistry<{ id?: string | undefined }> {
  readonly #io: Io
  readonly #exported = exportedNames()

  constructor(io: Io) {
    super()
    this.#io = io
  }

  override get(schema: z.core.$ZodType) {
    const id = schema instanceof z.ZodType ? this.nameOf(schema) : undefined
    return { ...z.globalRegistry.get(schema), ...(id !== undefined && { id }) }
  }

  nameOf(schema: z.ZodType): string | undefined {
    const own = z.globalRegistry.get(schema)?.id
    if (own !== undefined) return own
    const shape = shapeOf(schema)
    if (shape) return `Loose${z.globalRegistry.get(shape)?.id ?? this.#exported.get(shape)}`
    const exported = this.#exported.get(schema)
    if (exported === undefined || this.#io === 'input') return exported
    return isSameBothWays(schema) ? exported : `${exported}View`
  }
}

const sameBothWays = new WeakMap<z.ZodType, boolean>()

function isSameBothWays(schema: z.ZodType): boolean {
  const known = sameBothWays.get(schema)
  if (known !== undefined) return known
  const [input, output] = (['input', 'output'] as const).map(
    (io) => z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json,
  )
  const isSame = JSON.stringify(input) === JSON.stringify(openForAdditions(output))
  sameBothWays.set(schema, isSame)
  return isSame
}
