// The script of the docs site: search, copy buttons, colours and the menu of a phone. It runs in the browser as it is.

const search = document.querySelector('#search')
const hits = document.querySelector('#hits')
const hitsMax = 12
let sections

/** The index is loaded when somebody begins to search. After a failure the next key loads it again. */
function load() {
  sections ??= fetch('/docs/search.json').then((response) => {
    if (!response.ok) throw new Error(`The answer is ${response.status}.`)
    return response.json()
  })
  sections.catch(() => (sections = undefined))
  return sections
}

search.addEventListener('focus', () => void load().catch(() => undefined))
search.addEventListener('input', async () => {
  const typed = search.value
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const lines = words.length === 0 ? [] : await linesFor(words)
  if (search.value !== typed) return
  hits.replaceChildren(...lines)
  hits.hidden = words.length === 0
})

async function linesFor(words) {
  try {
    const found = bestOf(await load(), words)
    return found.length === 0 ? [lineOf('Nothing found.')] : found.map((section) => hitOf(section, words))
  } catch {
    return [lineOf('The search could not be loaded. Type again to try again.')]
  }
}

function lineOf(textContent) {
  return Object.assign(document.createElement('li'), { textContent })
}

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

// The clipboard needs HTTPS or localhost.
for (const block of navigator.clipboard ? document.querySelectorAll('.code') : []) {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  block.append(button)
}

const menu = document.querySelector('#menu')
menu.addEventListener('click', () => {
  const isOpen = document.querySelector('#pages').classList.toggle('open')
  menu.setAttribute('aria-expanded', String(isOpen))
})

/** The console stores its choice under the same name, so both have the same colours. */
const scheme = document.querySelector('#scheme')
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (document.documentElement.dataset.scheme ?? (systemIsDark.matches ? 'dark' : 'light')) === 'dark'
const nameScheme = () => (scheme.textContent = isDark() ? 'Light colours' : 'Dark colours')
scheme.addEventListener('click', () => {
  const chosen = isDark() ? 'light' : 'dark'
  document.documentElement.dataset.scheme = chosen
  nameScheme()
  try {
    localStorage.setItem('tocsin-color-scheme', chosen)
  } catch {
    // A browser that blocks storage forgets the choice with the page.
  }
})
systemIsDark.addEventListener('change', nameScheme)
nameScheme()
