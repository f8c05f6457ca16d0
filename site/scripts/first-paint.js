// Runs before the first paint: lets a phone hide the menu.

document.documentElement.classList.add('scripted')
