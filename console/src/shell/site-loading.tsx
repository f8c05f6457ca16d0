/** While the shell itself is on its way, the frame that came with the document stays (index.html). */
export function SiteLoading() {
  return null
}
