/** Pictures for screenshots, each drawn from a number: hills, skylines and still lifes. */
import sharp from 'sharp';

const [WIDTH, HEIGHT] = [1200, 800];

/** The sky from top to bottom, then the foreground from far to near. */
const PALETTES = [
  { sky: ['#d9545a', '#f3c08b'], ground: ['#5fa3a0', '#437f86', '#2c5f6c', '#1c4150', '#0f2533'] },
  { sky: ['#35528f', '#e7b48c'], ground: ['#8c6f86', '#6a5574', '#4c405f', '#332d49', '#1f1c31'] },
  { sky: ['#7fb2d6', '#f4e7cf'], ground: ['#93a97f', '#6f8f69', '#4f7355', '#365843', '#223c31'] },
  { sky: ['#2b2f5e', '#d98a77'], ground: ['#5b5279', '#453f66', '#332f52', '#24213e', '#17152b'] },
  { sky: ['#f0a35e', '#fbe3b5'], ground: ['#b9835a', '#96674a', '#744d3b', '#53372d', '#352320'] },
];
const THINGS = ['#3f5fb5', '#c2574f', '#d5a443', '#3f8f6f', '#7d5aa6', '#d07f4a', '#4a94b0', '#b25480'];
const TABLES = [
  ['#e8ece4', '#b7c9a8'],
  ['#efe6dd', '#d0ab8c'],
  ['#e4e8f0', '#a9b6d0'],
  ['#f1e3e6', '#c9a3b4'],
];

const TITLES = [
  'Storefront at dawn',
  'Autumn hills',
  'Team at work',
  'Spring menu',
  'Harbour lights',
  'Product, front',
  'Workshop detail',
  'Evening skyline',
  'Window display',
  'Morning delivery',
  'Still life',
  'Opening night',
];

export function titleOf(number) {
  const round = Math.floor(number / TITLES.length);
  return TITLES[number % TITLES.length] + (round === 0 ? '' : ` ${round + 1}`);
}

/** The bytes of a JPEG. Every third one is portrait. */
export function drawPicture(number, { width, height } = sizeOf(number)) {
  const random = randomFrom(number);
  const scene = [hills, stillLife, skyline][number % 3](random, width, height, Math.floor(number / 3));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${scene}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 86 }).toBuffer();
}

function sizeOf(number) {
  return number % 3 === 1 && number % 2 === 1
    ? { width: 900, height: 1200 }
    : { width: WIDTH, height: HEIGHT };
}

function hills(random, width, height, round) {
  const palette = PALETTES[round % PALETTES.length];
  const layers = palette.ground.map((colour, layer) => {
    const top = height * (0.42 + layer * 0.12);
    const points = Array.from({ length: 14 }, (_, step) => [(width * step) / 12, top + random(70) - 35]);
    return `<path d="M0 ${height} L0 ${top} ${curveThrough(points)} L${width} ${height} Z" fill="${colour}"/>`;
  });
  const sun = `<circle cx="${width * (0.25 + random(50) / 100)}" cy="${height * 0.26}" r="${height * 0.08}" fill="#fff1d6"/>`;
  return sky(palette, width, height) + sun + layers.join('');
}

/** A smooth curve through the points. */
function curveThrough(points) {
  return points
    .slice(1)
    .map(([x, y], index) => {
      const [lastX, lastY] = points[index];
      return `Q${lastX} ${lastY} ${(lastX + x) / 2} ${(lastY + y) / 2}`;
    })
    .join(' ');
}

function skyline(random, width, height, round) {
  const palette = PALETTES[(round + 2) % PALETTES.length];
  const houses = Array.from({ length: 16 }, (_, index) => {
    const tall = height * (0.2 + random(45) / 100);
    const wide = width / 12;
    const x = (width / 15) * index - wide / 3;
    const colour = palette.ground[2 + random(3)];
    return `<rect x="${x}" y="${height - tall}" width="${wide}" height="${tall}" fill="${colour}"/>${windows(random, x, height - tall, wide, tall)}`;
  });
  return sky(palette, width, height) + houses.join('');
}

function windows(random, x, y, width, height) {
  return Array.from({ length: 12 }, () => {
    const [left, top] = [x + 8 + random(width - 24), y + 12 + random(Math.max(height - 40, 1))];
    return `<rect x="${left}" y="${top}" width="8" height="12" fill="#ffd98a" opacity="0.8"/>`;
  }).join('');
}

function stillLife(random, width, height, round) {
  const [wall, table] = TABLES[round % TABLES.length];
  const first = random(THINGS.length);
  const things = Array.from({ length: 4 }, (_, index) => {
    const size = Math.min(width, height) * (0.08 + random(6) / 100);
    const [x, y] = [width * (0.2 + index * 0.2), height * 0.74];
    const colour = THINGS[(first + index * 3) % THINGS.length];
    const shadow = `<ellipse cx="${x}" cy="${y}" rx="${size * 1.1}" ry="${size * 0.16}" fill="#000" opacity="0.18"/>`;
    return random(2) === 0
      ? `${shadow}<circle cx="${x}" cy="${y - size}" r="${size}" fill="${colour}"/>`
      : `${shadow}<rect x="${x - size * 0.7}" y="${y - size * 3}" width="${size * 1.4}" height="${size * 3}" rx="${size / 4}" fill="${colour}"/>`;
  });
  const surface = `<rect y="${height * 0.68}" width="${width}" height="${height}" fill="${table}"/>`;
  return `<rect width="100%" height="100%" fill="${wall}"/>${surface}${things.join('')}`;
}

function sky({ sky: [top, bottom] }, width, height) {
  const id = `sky${top.slice(1)}`;
  return `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="0.8" stop-color="${bottom}"/></linearGradient>
    <rect width="${width}" height="${height}" fill="url(#${id})"/>`;
}

/** The same numbers every time. */
function randomFrom(seed) {
  let state = seed * 2654435761 + 12345;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}
