/** Tries again until it holds: for what other processes and sockets bring about in their own time. */
export async function eventually(holds: () => boolean | Promise<boolean>, timeoutMs = 5000): Promise<void> {
  const endsAt = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error('it did not come about in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
