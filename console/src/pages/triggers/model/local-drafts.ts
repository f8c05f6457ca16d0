const storageName = 'tocsin-begun-triggers'

/** Drafts of triggers that were never published. The API does not list them, so this browser stores their names. */
export function localDrafts(workspace: string): string[] {
  return all().filter((fullname) => fullname.startsWith(`${workspace}.`))
}

export function rememberDraft(fullname: string): void {
  store([fullname, ...all().filter((other) => other !== fullname)].slice(0, 50))
}

export function forgetDraft(fullname: string): void {
  store(all().filter((other) => other !== fullname))
}

function all(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageName) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

function store(fullnames: string[]): void {
  localStorage.setItem(storageName, JSON.stringify(fullnames))
}
