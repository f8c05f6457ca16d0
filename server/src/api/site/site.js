// The script of the docs site: the search. It runs in the browser as it is.

const search = document.querySelector('#search')
const hits = document.querySelector('#hits')
const hitsMax = 12
let sections

/** The index is loaded when somebody begins to search. */
async function load() {
  sections ??= fetch('/docs/search.json').then((response) => response.json())
  return sections
}

search.addEventListener('focus', () => void load())
search.addEventListener('input', async () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? [] : bestOf(await load(), words)
  hits.replaceChildren(...found.map((section) => hitOf(section, words)))
  hits.hidden = words.length === 0
  if (words.length > 0 && found.length === 0) hits.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }))
})

/** All words must occur. A word in a title counts more than one in the text. */
function bestOf(all, words) {
  const scored = []
  for (const section of all) {
    const [page, title, text] = [section.page.toLowerCase(), section.title.toLowerCase(), section.text.toLowerCase()]
    let score = 0
    const hasAll = words.every((word) => {
      const points = (title.includes(word) ? 8 : 0) + (page.includes(word) ? 4 : 0) + (text.includes(word) ? 1 : 0)
      score += points
      return points > 0
    })
    if (hasAll) scored.push({ section, score })
  }
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, hitsMax)
    .map(({ section }) => section)
}

function hitOf({ page, slug, anchor, title, text }, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40)
  const link = Object.assign(document.createElement('a'), {
    href: `/docs/${slug}${anchor === '' ? '' : `#${anchor}`}`,
    textContent: title === page ? page : `${page} · ${title}`,
  })
  const item = document.createElement('li')
  item.append(link, Object.assign(document.createElement('span'), { textContent: text.slice(at, at + 140) }))
  return item
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hits.hidden = true
  if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault()
    search.focus()
  }
})
