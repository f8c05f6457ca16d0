import type { Entity } from '../folder/kinds.ts'
import { variable } from '../folder/resolve.ts'
import { variableName } from '../stack/secret-fields.ts'
import type { Imported, ImportLine } from './importer.ts'

/** A channel that the files do not have, or that cannot be imported. */
export function channelLeftOut(id: string): string {
  return `the channel ${id} is left out: it is not among the files, or not possible`
}

/** Collects what an importer makes, and one line for each definition that it read. */
export class Notes {
  readonly entities: Entity[] = []
  private readonly lines: ImportLine[] = []

  add(kind: Entity['kind'], payload: Entity['payload']): void {
    this.entities.push({ kind, payload })
  }

  /** Adds the project that gets the imported triggers. Returns its fullname. */
  addProject({ workspace, stack }: { workspace: string; stack: string }, tool: string): string {
    const fullname = `${workspace}.${stack}`
    const meta = { title: stack, description: `Imported from ${tool}` }
    this.add('project', { name: stack, fullname, workspace, public: false, meta })
    return fullname
  }

  /** Adds a resource of the workspace. Returns its fullname. */
  addResource(workspace: string, channel: { name: string; title: string; blueprint: string; data?: unknown }): string {
    const { name, title, blueprint, data } = channel
    const fullname = `${workspace}.${name}`
    const about = { name, fullname, workspace, blueprint: `common.delivery.${blueprint}` }
    this.add('resource', { ...about, ...(data !== undefined && { data }), meta: { title } })
    return fullname
  }

  /** A definition that became entities. Without differences it is exact. */
  done(definition: string, differences: readonly string[] = []): void {
    const what = [...new Set(differences)].join('; ')
    this.lines.push({ definition, outcome: what === '' ? { kind: 'exact' } : { kind: 'changed', what } })
  }

  impossible(definition: string, why: string): void {
    this.lines.push({ definition, outcome: { kind: 'not possible', why } })
  }

  imported(): Imported {
    return { entities: this.entities, files: [], lines: this.lines }
  }
}

/** The data of a channel whose URL the other tool does not hold: it is read from a variable, which the user sets. */
export function missingUrl(workspace: string, name: string, whose: string, differences: string[]): { url: string } {
  const wanted = variableName(`${workspace}.${name}`, ['url'], new Set())
  differences.push(`set the variable ${wanted} to the URL of ${whose}`)
  return { url: variable(wanted) }
}
