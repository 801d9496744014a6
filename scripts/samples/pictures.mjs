/** Pictures for screenshots, drawn from a number: hills, skylines and still lifes, never twice the same. */
import sharp from 'sharp';

const [WIDTH, HEIGHT] = [1200, 800];

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

/** The bytes of a JPEG; every third one is upright. */
export function drawPicture(number, { width, height } = sizeOf(number)) {
  const random = randomFrom(number);
  const scene = [hills, stillLife, skyline][number % 3](random, width, height);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${scene}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 86 }).toBuffer();
}

function sizeOf(number) {
  return number % 3 === 1 && number % 2 === 1
    ? { width: 900, height: 1200 }
    : { width: WIDTH, height: HEIGHT };
}

function hills(random, width, height) {
  const hue = random(360);
  const layers = Array.from({ length: 5 }, (_, layer) => {
    const top = height * (0.42 + layer * 0.12);
    const points = Array.from({ length: 9 }, (_, step) => `${(width * step) / 8},${top + random(60) - 30}`);
    const colour = `hsl(${(hue + 150 + layer * 8) % 360} 38% ${52 - layer * 9}%)`;
    return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${colour}"/>`;
  });
  const sun = `<circle cx="${width * (0.25 + random(50) / 100)}" cy="${height * 0.26}" r="${height * 0.08}" fill="#fff1d6"/>`;
  return sky(hue, width, height) + sun + layers.join('');
}

function skyline(random, width, height) {
  const hue = 200 + random(90);
  const houses = Array.from({ length: 16 }, (_, index) => {
    const tall = height * (0.2 + random(45) / 100);
    const wide = width / 12;
    const x = (width / 15) * index - wide / 3;
    const colour = `hsl(${hue} 26% ${20 + random(18)}%)`;
    return `<rect x="${x}" y="${height - tall}" width="${wide}" height="${tall}" fill="${colour}"/>${windows(random, x, height - tall, wide, tall)}`;
  });
  return sky(hue + 60, width, height) + houses.join('');
}

function windows(random, x, y, width, height) {
  return Array.from({ length: 12 }, () => {
    const [left, top] = [x + 8 + random(width - 24), y + 12 + random(Math.max(height - 40, 1))];
    return `<rect x="${left}" y="${top}" width="8" height="12" fill="#ffd98a" opacity="0.8"/>`;
  }).join('');
}

function stillLife(random, width, height) {
  const hue = random(360);
  const things = Array.from({ length: 4 }, (_, index) => {
    const size = height * (0.14 + random(12) / 100);
    const [x, y] = [width * (0.2 + index * 0.2), height * 0.72];
    const colour = `hsl(${(hue + 90 * index + random(40)) % 360} 52% 48%)`;
    const shadow = `<ellipse cx="${x}" cy="${y}" rx="${size * 0.9}" ry="${size * 0.16}" fill="#000" opacity="0.18"/>`;
    return random(2) === 0
      ? `${shadow}<circle cx="${x}" cy="${y - size}" r="${size}" fill="${colour}"/>`
      : `${shadow}<rect x="${x - size / 2}" y="${y - size * 2.4}" width="${size}" height="${size * 2.4}" rx="${size / 5}" fill="${colour}"/>`;
  });
  const table = `<rect y="${height * 0.66}" width="${width}" height="${height}" fill="hsl(${hue} 26% 68%)"/>`;
  return `<rect width="100%" height="100%" fill="hsl(${hue} 24% 88%)"/>${table}${things.join('')}`;
}

function sky(hue, width, height) {
  const bands = Array.from({ length: 24 }, (_, band) => {
    const colour = `hsl(${(hue + band) % 360} 62% ${48 + band * 1.4}%)`;
    return `<rect y="${(height / 30) * band}" width="${width}" height="${height}" fill="${colour}"/>`;
  });
  return bands.join('');
}

/** The same numbers every time. */
function randomFrom(seed) {
  let state = seed * 2654435761 + 12345;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}
