export type FormState<Values> = {
  values: Values
  /** What the user has not changed yet: the loaded values, or those that the last save sent. */
  base: Values
  /** The ETag that a save is compared with. */
  version: string | undefined
  /** The newest ETag that the page has loaded. */
  seen: string | undefined
  isSaving: boolean
}

/**
 * The form when the page has loaded a newer version of what it edits. Fields that the user has not changed show the newer
 * version, the others keep what was typed. If somebody else changed a field that the user changed too, the form keeps its
 * ETag, so that the service refuses the save and the user learns about the other change.
 */
export function takeNewer<Values extends object>(
  form: FormState<Values>,
  newer: Values,
  seen: string | undefined,
): FormState<Values> {
  const values = mergeTyped(form.values, form.base, newer)
  // The newer version is probably the one that this form saves.
  if (form.isSaving) return { ...form, values, base: newer, version: seen, seen }
  const isConflict = form.version !== form.seen || hasConflict(form, newer)
  return { ...form, values, base: newer, version: isConflict ? form.version : seen, seen }
}

function hasConflict<Values extends object>({ values, base }: FormState<Values>, newer: Values): boolean {
  return fieldsOf(newer).some(
    (name) =>
      !isSame(values[name], base[name]) && !isSame(newer[name], base[name]) && !isSame(newer[name], values[name]),
  )
}

/** The newer values, except in the fields where the user typed something since `base`. */
export function mergeTyped<Values extends object>(typed: Values, base: Values, newer: Values): Values {
  const merged = { ...newer }
  for (const name of fieldsOf(newer)) if (!isSame(typed[name], base[name])) merged[name] = typed[name]
  return merged
}

function fieldsOf<Values extends object>(values: Values): (keyof Values)[] {
  const names: (keyof Values)[] = []
  for (const name in values) names.push(name)
  return names
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
