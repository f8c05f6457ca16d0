import type { Issue } from '@tocsin/contract'
import { type FormEvent, useState } from 'react'
import { issuesOf } from '../components/describe-error.ts'
import { uneditedIssues } from './unedited-issues.ts'
import { useKeptValues, type ValuesOptions } from './use-kept-values.ts'

type FormOptions<Values extends object> = ValuesOptions<Values> & {
  initial: Values
  /** Checks the values before a save. The path `''` means the whole form. */
  check?: (values: Values) => Issue[]
  /** `version` is the ETag to compare, if the form has one. */
  save: (values: Values, version: string | undefined) => Promise<unknown>
  /** After a save the form is empty again, for the next entry. */
  isEmptiedBySave?: boolean
}

/**
 * The state of a form: values by name, issues by dotted path, one save at a time. Issues of the service appear beside
 * the field that their path names, like issues of `check`.
 */
export function useForm<Values extends object>({
  initial,
  check,
  save,
  keep,
  version,
  isEmptiedBySave = false,
}: FormOptions<Values>) {
  const { values, setValues, isBack, discard, runSave } = useKeptValues(initial, { keep, version })
  const [issues, setIssues] = useState<Issue[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setIssues((before) => uneditedIssues(before, String(name), values[name], value))
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const found = check?.(values) ?? []
    setIssues(found)
    setFailure(undefined)
    if (found.length > 0) return
    setSaving(true)
    try {
      await runSave((version) => save(values, version), { isEmptied: isEmptiedBySave })
    } catch (error) {
      setIssues(issuesOf(error))
      setFailure(error)
    } finally {
      setSaving(false)
    }
  }
  return {
    values,
    set,
    submit: (event?: FormEvent) => void submit(event),
    isSaving,
    isBack,
    discard,
    failure,
    issues,
    /** The issue of a field, by its path or by the last name of its path. */
    errorOf: (path: string) => issues.find((issue) => issue.path === path || lastOf(issue.path) === path)?.message,
    /** Props for a text input. */
    text: <Name extends TextNames<Values>>(name: Name) => ({
      name,
      value: values[name] as string,
      onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value as Values[Name]),
      error: issues.find((issue) => issue.path === name || lastOf(issue.path) === name)?.message,
    }),
  }
}

type TextNames<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string
export type Form<Values extends object> = ReturnType<typeof useForm<Values>>

function lastOf(path: string): string {
  return path.split('.').at(-1) ?? ''
}
