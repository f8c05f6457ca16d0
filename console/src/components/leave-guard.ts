let ask: (() => Promise<boolean>) | undefined

/** Registers a question to ask before unsaved work is lost. Returns a function that removes it. */
export function askBeforeLeaving(question: () => Promise<boolean>): () => void {
  ask = question
  return () => {
    if (ask === question) ask = undefined
  }
}

/** For exits that are no navigation, such as sign-out. */
export function mayLeave(): Promise<boolean> {
  return ask ? ask() : Promise.resolve(true)
}
