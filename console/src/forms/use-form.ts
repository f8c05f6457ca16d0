import type { Issue } from '@tocsin/contract'
import { type FormEvent, useState } from 'react'
import { issuesOf } from '../components/error-sentence.ts'

type FormOptions<Values extends object> = {
  initial: Values
  /** What is wrong before anything is sent; `''` is the whole form. */
  check?: (values: Values) => Issue[]
  save: (values: Values) => Promise<unknown>
}

/**
 * A form: values by name, issues by dotted path, one save at a time. The service's own issues land beside the fields
 * they name, so the same field is told the same way whoever found the mistake.
 */
export function useForm<Values extends object>({ initial, check, save }: FormOptions<Values>) {
  const [values, setValues] = useState(initial)
  const [issues, setIssues] = useState<Issue[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setIssues((before) => before.filter(({ path }) => lastOf(path) !== name))
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const found = check?.(values) ?? []
    setIssues(found)
    setFailure(undefined)
    if (found.length > 0) return
    setSaving(true)
    try {
      await save(values)
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
    /** Start over from other values, such as a record that was read again. */
    reset: (next: Values) => setValues(next),
    submit: (event?: FormEvent) => void submit(event),
    isSaving,
    isChanged: JSON.stringify(values) !== JSON.stringify(initial),
    failure,
    /** The issue of a field, by the path the API names or the last word of it. */
    errorOf: (path: string) => issues.find((issue) => issue.path === path || lastOf(issue.path) === path)?.message,
    /** For inputs that hold a text. */
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
