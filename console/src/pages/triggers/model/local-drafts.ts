const storageName = 'tocsin-begun-triggers'

/** The service lists published triggers only, so this browser remembers the drafts that were begun in it. */
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
    const kept: unknown = JSON.parse(localStorage.getItem(storageName) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

function store(fullnames: string[]): void {
  localStorage.setItem(storageName, JSON.stringify(fullnames))
}
