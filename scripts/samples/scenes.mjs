/** The demo pictures of a fictional bakery, drawn here as SVG, so that no third-party pictures are involved. */

/** The same numbers on every run, so that the pictures are reproducible. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const svg = (width, height, body) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;

const gradient = (id, stops, vector = 'x1="0" y1="0" x2="0" y2="1"') =>
  `<linearGradient id="${id}" ${vector}>${stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('')}</linearGradient>`;

const glow = (id, stops) =>
  `<radialGradient id="${id}">${stops.map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join('')}</radialGradient>`;

const blur = (id, amount) =>
  `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${amount}"/></filter>`;

const range = (count) => Array.from({ length: count }, (_, index) => index);

/** An ear of wheat on its stalk, growing upwards from the origin. */
function wheat(height, lean, colour, grain) {
  const grains = range(6)
    .map((index) => {
      const y = height - index * grain * 1.35;
      const x = lean * (y / height) ** 2;
      const side = (angle) =>
        `<ellipse cy="${-grain * 0.95}" rx="${grain * 0.36}" ry="${grain * 0.95}" transform="translate(${x} ${-y + grain * 1.3}) rotate(${angle + (lean / height) * 60})"/>`;
      return side(-34) + side(34) + (index === 0 ? side(0) : '');
    })
    .join('');
  return `<g fill="${colour}"><path d="M0 0 Q0 ${-height * 0.5} ${lean} ${-height}" fill="none" stroke="${colour}" stroke-width="${grain * 0.3}"/>${grains}</g>`;
}

function loaf(x, y, width, colour) {
  const cuts = range(3)
    .map((index) => {
      const at = x + width * (0.26 + index * 0.22);
      return `<path d="M${at} ${y - width * 0.34} q${width * 0.07} ${width * 0.08} ${width * 0.03} ${width * 0.18}" stroke="#f7dca8" stroke-width="${width * 0.035}" fill="none" stroke-linecap="round"/>`;
    })
    .join('');
  return `<path d="M${x} ${y} c${-width * 0.06} ${-width * 0.3} ${width * 0.2} ${-width * 0.42} ${width * 0.5} ${-width * 0.42} s${width * 0.56} ${width * 0.12} ${width * 0.5} ${width * 0.42} z" fill="${colour}"/>${cuts}`;
}

/** A bakery at daybreak: lit window, striped awning, wet pavement. */
export function storefront() {
  const stripes = range(14)
    .map((index) => {
      const x = 200 + index * 86;
      const colour = index % 2 ? '#f6ead6' : '#c4553a';
      return `<path d="M${x} 330 h86 l0 150 a43 34 0 0 1 -86 0 z" fill="${colour}"/>`;
    })
    .join('');
  const shelf = (y, seed) => {
    const random = seeded(seed);
    const loaves = range(5)
      .map((index) =>
        loaf(300 + index * 124, y, 96 + random() * 14, ['#c9803a', '#b56a2b', '#d99a52'][index % 3]),
      )
      .join('');
    return `${loaves}<rect x="276" y="${y}" width="648" height="12" fill="#6b3f22"/>`;
  };
  const stones = range(7)
    .map((row) =>
      range(20)
        .map((index) => {
          const height = 12 + row * 4;
          const y = 920 + row * row * 2.6 + row * 9;
          const width = 70 + row * 16;
          const x = 800 + (index - 10) * (width + 4) + (row % 2) * 34;
          return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="#ffd9a0" opacity="${0.05 + ((index * 7 + row * 3) % 5) * 0.018}"/>`;
        })
        .join(''),
    )
    .join('');
  const plant = (x) =>
    `<path d="M${x - 42} 830 h84 l-12 84 h-60 z" fill="#a8472f"/>` +
    range(9)
      .map((index) => {
        const angle = -64 + index * 16;
        return `<ellipse cx="0" cy="-70" rx="15" ry="72" fill="${index % 2 ? '#3f7d5a' : '#2f6549'}" transform="translate(${x} 836) rotate(${angle})"/>`;
      })
      .join('');
  const lamp = (x) =>
    `<circle cx="${x}" cy="250" r="120" fill="url(#lamp)"/><path d="M${x} 190 v26" stroke="#16282b" stroke-width="6"/><path d="M${x - 26} 246 a26 30 0 0 1 52 0 z" fill="#16282b"/><circle cx="${x}" cy="250" r="10" fill="#fff3d0"/>`;
  return svg(
    1600,
    1067,
    `<defs>${gradient('sky', [
      [0, '#31467a'],
      [0.55, '#c2788a'],
      [1, '#f7b98a'],
    ])}
    ${gradient('wall', [
      [0, '#215257'],
      [1, '#173b40'],
    ])}${gradient('window', [
      [0, '#fff0c9'],
      [0.6, '#ffd38a'],
      [1, '#f2a95c'],
    ])}
    ${gradient('ground', [
      [0, '#54465a'],
      [1, '#2b2436'],
    ])}${glow('lamp', [
      [0, '#ffe9b8', 0.9],
      [1, '#ffe9b8', 0],
    ])}
    ${glow('spill', [
      [0, '#ffcf86', 0.75],
      [1, '#ffcf86', 0],
    ])}${blur('soft', 9)}</defs>
    <rect width="1600" height="1067" fill="url(#sky)"/><circle cx="1490" cy="250" r="46" fill="#fff1d6" opacity=".85"/>
    <path d="M0 420 h110 v-90 h60 v590 H0 z" fill="#3d3a63"/><path d="M1440 470 h70 v-60 h90 v520 h-160 z" fill="#4a3f68"/>
    <rect y="905" width="1600" height="162" fill="url(#ground)"/>
    <rect x="150" y="140" width="1300" height="780" fill="url(#wall)"/><rect x="120" y="120" width="1360" height="34" rx="6" fill="#12302f"/>
    <rect x="560" y="180" width="480" height="112" rx="14" fill="#12302f" stroke="#d9b06a" stroke-width="5"/>
    <g transform="translate(800 282) scale(.62)">${range(7)
      .map((i) => `<g transform="rotate(${-54 + i * 18})">${wheat(132, 0, '#e8c27a', 13)}</g>`)
      .join('')}</g>
    ${lamp(420)}${lamp(1180)}
    <rect x="256" y="400" width="690" height="440" rx="8" fill="#12302f"/><rect x="276" y="420" width="650" height="400" fill="url(#window)"/>
    ${shelf(640, 5)}${shelf(780, 9)}
    <path d="M276 820 L600 420 h120 L396 820 z" fill="#fff" opacity=".13"/><path d="M601 420 v400" stroke="#12302f" stroke-width="10"/>
    <rect x="1040" y="420" width="290" height="490" rx="8" fill="#12302f"/><rect x="1062" y="442" width="246" height="468" fill="#8d3d29"/>
    <rect x="1092" y="478" width="186" height="250" rx="93" fill="url(#window)"/><circle cx="1278" cy="770" r="12" fill="#e8c27a"/>
    <rect x="200" y="430" width="1204" height="120" fill="#000" opacity=".28" filter="url(#soft)"/>
    ${stripes}<rect x="190" y="318" width="1224" height="22" rx="8" fill="#a8472f"/>
    <rect x="150" y="896" width="1300" height="24" fill="#0f2629"/>${plant(985)}${plant(1392)}
    <ellipse cx="600" cy="985" rx="460" ry="92" fill="url(#spill)"/><ellipse cx="1185" cy="985" rx="220" ry="80" fill="url(#spill)" opacity=".8"/>${stones}`,
  );
}

/** A cup of coffee from above, with a leaf poured into the milk. */
export function latte() {
  const random = seeded(11);
  const planks = range(6)
    .map((index) => {
      const y = index * 200;
      const grain = range(16)
        .map(() => {
          const at = y + 12 + random() * 176;
          return `<path d="M0 ${at} C300 ${at + random() * 22 - 11} 800 ${at + random() * 22 - 11} 1200 ${at + random() * 12}" stroke="#4d2d1a" stroke-width="${0.8 + random() * 2}" opacity="${0.1 + random() * 0.2}" fill="none"/>`;
        })
        .join('');
      return `<rect y="${y}" width="1200" height="196" fill="${['#a8754b', '#9d6a41', '#b27f55'][index % 3]}"/>${grain}<rect y="${y + 196}" width="1200" height="4" fill="#4d2d1a"/>`;
    })
    .join('');
  const heart = (size, colour, y) =>
    `<path fill="${colour}" transform="translate(0 ${y}) scale(${size})" d="M0 -52 C-34 -96 -104 -72 -100 -10 C-98 44 -40 74 0 118 C40 74 98 44 100 -10 C104 -72 34 -96 0 -52 z"/>`;
  const poured = range(7)
    .map((index) => heart(1.95 - index * 0.27, index % 2 ? '#a96832' : '#f8e8d0', -index * 3))
    .join('');
  const bean = (x, y, angle) =>
    `<g transform="translate(${x} ${y}) rotate(${angle})"><ellipse cx="5" cy="8" rx="34" ry="24" fill="#000" opacity=".25"/><ellipse rx="34" ry="24" fill="#4a2a17"/><path d="M-32 0 C-12 -12 12 12 32 0" stroke="#24120a" stroke-width="5" fill="none"/><path d="M-20 -12 a30 20 0 0 1 30 -6" stroke="#7a4c2e" stroke-width="4" fill="none" stroke-linecap="round"/></g>`;
  return svg(
    1200,
    1200,
    `<defs>${glow('crema', [
      [0, '#c98d50'],
      [0.7, '#a96832'],
      [0.93, '#7b431d'],
      [1, '#522a12'],
    ])}
    ${glow('china', [
      [0, '#ffffff'],
      [0.75, '#f6f1ea'],
      [1, '#d9d0c4'],
    ])}${glow('plate', [
      [0, '#d8e4e1'],
      [0.72, '#cfdeda'],
      [0.9, '#b6cbc6'],
      [1, '#9fb8b2'],
    ])}
    ${blur('shade', 24)}${blur('milk', 1.6)}${glow('light', [
      [0, '#fff', 0.4],
      [1, '#fff', 0],
    ])}</defs>
    ${planks}
    <circle cx="632" cy="640" r="430" fill="#1f1008" opacity=".5" filter="url(#shade)"/><circle cx="600" cy="600" r="430" fill="url(#plate)"/>
    <circle cx="600" cy="600" r="330" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="6"/>
    <g transform="rotate(38 600 600)"><rect x="880" y="560" width="190" height="80" rx="40" fill="#efe8de"/><rect x="900" y="582" width="146" height="36" rx="18" fill="#b6cbc6"/></g>
    <g transform="translate(330 960) rotate(-12)"><path d="M0 22 h330 v14 h-330 z" fill="#1f1008" opacity=".4" filter="url(#milk)"/><rect x="0" y="8" width="330" height="14" rx="7" fill="#e4e1dc"/><ellipse cx="-40" cy="15" rx="66" ry="38" fill="#d2cec7"/><ellipse cx="-46" cy="10" rx="44" ry="22" fill="#f3f1ed"/></g>
    <circle cx="622" cy="628" r="310" fill="#21443f" opacity=".4" filter="url(#shade)"/><circle cx="600" cy="600" r="312" fill="url(#china)"/>
    <circle cx="600" cy="600" r="272" fill="url(#crema)"/>
    <g transform="translate(600 590) rotate(-14)" filter="url(#milk)">${poured}</g>
    <ellipse cx="500" cy="470" rx="170" ry="110" fill="url(#light)" transform="rotate(-38 500 470)"/>
    ${bean(1040, 180, 30)}${bean(1105, 262, -40)}${bean(960, 110, 80)}${bean(118, 1080, 12)}${bean(1120, 1085, -20)}`,
  );
}

/** A wheat field under the evening sun. */
export function wheatField() {
  const random = seeded(23);
  const row = (y, count, height, grain, colours) =>
    range(count)
      .map((index) => {
        const x = ((index + random()) / count) * 1720 - 60;
        const stalk = wheat(
          height * (0.8 + random() * 0.4),
          (random() - 0.3) * height * 0.3,
          colours[Math.floor(random() * colours.length)],
          grain,
        );
        return `<g transform="translate(${x.toFixed(1)} ${(y + random() * 30).toFixed(1)})">${stalk}</g>`;
      })
      .join('');
  return svg(
    1600,
    1200,
    `<defs>${gradient('sky', [
      [0, '#3c4f86'],
      [0.35, '#c97f86'],
      [0.62, '#f8b46a'],
      [1, '#ffe2a1'],
    ])}${glow('sun', [
      [0, '#fffbe6'],
      [0.16, '#fff1bd'],
      [0.22, '#ffdf8f', 0.75],
      [1, '#ffc769', 0],
    ])}
    ${gradient('field', [
      [0, '#e3a945'],
      [1, '#8a5418'],
    ])}${blur('haze', 16)}${blur('far', 1.4)}</defs>
    <rect width="1600" height="1200" fill="url(#sky)"/>
    <g fill="#fff" opacity=".32" filter="url(#haze)"><ellipse cx="330" cy="230" rx="260" ry="26"/><ellipse cx="560" cy="280" rx="200" ry="18"/><ellipse cx="1330" cy="180" rx="240" ry="22"/></g>
    <circle cx="1060" cy="560" r="480" fill="url(#sun)"/>
    <path d="M0 650 C260 560 480 640 760 600 S1300 540 1600 630 V800 H0 z" fill="#8f6a86"/>
    <path d="M0 700 C300 620 620 720 900 670 S1400 650 1600 700 V860 H0 z" fill="#7b5566"/>
    <g fill="#4c3346">${range(9)
      .map(
        (i) => `<ellipse cx="${120 + i * 42}" cy="${694 - (i % 3) * 8}" rx="30" ry="${34 + (i % 4) * 9}"/>`,
      )
      .join('')}</g>
    <path d="M0 730 C400 690 1200 690 1600 735 V1200 H0 z" fill="url(#field)"/>
    <g filter="url(#far)" opacity=".85">${row(800, 120, 90, 6, ['#f0bf5e', '#e0a743', '#f7cf7c'])}</g>
    ${row(930, 80, 170, 10, ['#d99a36', '#efbb55', '#c98628'])}${row(1110, 50, 280, 16, ['#b9741f', '#d8942f', '#a3631a'])}${row(1290, 30, 420, 24, ['#7a4813', '#94591a', '#633a10'])}`,
  );
}

/** A layer cake with berries on a stand, upright format. */
export function cake() {
  const layer = (y, colour) =>
    `<path d="M290 ${y} h500 v96 a250 38 0 0 1 -500 0 z" fill="${colour}"/><path d="M290 ${y + 78} a250 38 0 0 0 500 0 v18 a250 38 0 0 1 -500 0 z" fill="#fff6ec"/>`;
  const drips = range(11)
    .map((index) => {
      const x = 290 + index * 46;
      const length = [70, 120, 56, 146, 90, 64, 132, 78, 110, 58, 92][index];
      return `<rect x="${x}" y="560" width="40" height="${length}" rx="20"/>`;
    })
    .join('');
  const berry = (x, y, size, colour, shine) =>
    `<circle cx="${x}" cy="${y}" r="${size}" fill="${colour}"/><circle cx="${x - size * 0.3}" cy="${y - size * 0.35}" r="${size * 0.24}" fill="${shine}" opacity=".8"/>`;
  const leaf = (x, y, angle) =>
    `<path d="M0 0 C20 -40 66 -46 96 -20 C66 10 26 16 0 0 z" fill="#4f8a5b" transform="translate(${x} ${y}) rotate(${angle})"/>`;
  const berries = [
    [420, 512, 40, '#c2304a'],
    [500, 530, 44, '#d7415a'],
    [590, 524, 42, '#b6283f'],
    [668, 508, 38, '#d7415a'],
    [462, 462, 36, '#b6283f'],
    [548, 462, 44, '#cf3852'],
    [626, 458, 34, '#c2304a'],
    [384, 540, 22, '#4a4f8f'],
    [540, 548, 20, '#565ca3'],
    [706, 540, 24, '#4a4f8f'],
    [586, 404, 24, '#565ca3'],
    [500, 408, 30, '#d7415a'],
  ]
    .map(([x, y, size, colour]) => berry(x, y, size, colour, '#fff'))
    .join('');
  const random = seeded(3);
  const confetti = range(46)
    .map(
      () =>
        `<circle cx="${random() * 1080}" cy="${random() * 900}" r="${4 + random() * 9}" fill="${['#f2a7a0', '#fbe3b5', '#a9cfc0', '#ffffff'][Math.floor(random() * 4)]}" opacity=".7"/>`,
    )
    .join('');
  return svg(
    1080,
    1350,
    `<defs>${gradient('wall', [
      [0, '#f9d7cf'],
      [1, '#f4b9ae'],
    ])}${gradient('table', [
      [0, '#fff7ef'],
      [1, '#ead8c8'],
    ])}${gradient(
      'stand',
      [
        [0, '#ffffff'],
        [0.5, '#dfe9e6'],
        [1, '#b9cfc9'],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    )}
    ${gradient(
      'side',
      [
        [0, '#000'],
        [1, '#fff'],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    )}${blur('soft', 22)}</defs>
    <rect width="1080" height="1350" fill="url(#wall)"/>${confetti}
    <circle cx="540" cy="560" r="430" fill="#fff" opacity=".22"/>
    <path d="M0 1080 h1080 v270 H0 z" fill="url(#table)"/>
    <ellipse cx="560" cy="1190" rx="290" ry="46" fill="#7d5247" opacity=".35" filter="url(#soft)"/>
    <path d="M490 900 h100 c0 120 20 200 110 260 h-320 c90 -60 110 -140 110 -260 z" fill="url(#stand)"/><ellipse cx="540" cy="1162" rx="162" ry="28" fill="#c7d9d4"/>
    <ellipse cx="540" cy="910" rx="392" ry="66" fill="#a9c3bc"/><ellipse cx="540" cy="894" rx="392" ry="66" fill="#eef5f3"/><ellipse cx="540" cy="890" rx="300" ry="46" fill="#7d5247" opacity=".25"/>
    ${layer(780, '#e9b870')}${layer(670, '#f0c684')}${layer(560, '#e9b870')}
    <path d="M290 560 a250 38 0 0 0 500 0 v314 a250 38 0 0 1 -500 0 z" fill="url(#side)" opacity=".07"/>
    <g fill="#6b3427"><ellipse cx="540" cy="560" rx="252" ry="42"/>${drips}<path d="M290 560 a250 38 0 0 0 500 0 l0 24 a250 38 0 0 1 -500 0 z"/></g>
    <ellipse cx="520" cy="552" rx="196" ry="24" fill="#85483a"/>
    ${leaf(690, 470, -20)}${leaf(400, 480, 200)}${leaf(560, 400, -70)}${berries}`,
  );
}

/** The bakery's round logo on a transparent background. */
export function emblem() {
  const sheaf = range(9)
    .map(
      (index) =>
        `<g transform="rotate(${-56 + index * 14})">${wheat(390 - Math.abs(index - 4) * 26, 0, index % 2 ? '#f6dca4' : '#e8c27a', 26)}</g>`,
    )
    .join('');
  const dots = range(48)
    .map((index) => {
      const angle = (index / 48) * Math.PI * 2;
      return `<circle cx="${400 + Math.cos(angle) * 332}" cy="${400 + Math.sin(angle) * 332}" r="6"/>`;
    })
    .join('');
  return svg(
    800,
    800,
    `<defs>${gradient('disc', [
      [0, '#cf6245'],
      [1, '#9f3f28'],
    ])}</defs>
    <circle cx="400" cy="400" r="384" fill="#f6ead6"/><circle cx="400" cy="400" r="362" fill="url(#disc)"/><circle cx="400" cy="400" r="306" fill="none" stroke="#f6ead6" stroke-width="5"/>
    <g fill="#f6dca4">${dots}</g><g transform="translate(400 560)">${sheaf}</g>
    <g stroke="#e8c27a" stroke-width="7" stroke-linecap="round">${range(9)
      .map((index) => `<path d="M400 560 l${-76 + index * 19} ${118 - Math.abs(index - 4) * 7}"/>`)
      .join('')}</g>
    <path d="M366 546 q34 -14 68 0 l6 34 q-40 -14 -80 0 z" fill="#f6ead6"/>`,
  );
}

/** One frame of steam over a cup; `time` runs from 0 to 1 and the loop closes. */
export function steamFrame(time) {
  const turn = time * Math.PI * 2;
  const wisp = (x, phase, height) => {
    const points = range(13).map((index) => {
      const rise = index / 12;
      return [x + Math.sin(rise * 5.2 - turn * 2 + phase) * (14 + rise * 46), 330 - rise * height];
    });
    return range(12)
      .map((index) => {
        const [x0, y0] = points[index];
        const [x1, y1] = points[index + 1];
        const fade = Math.sin(((index + 1) / 13) * Math.PI) * 0.55;
        return `<path d="M${x0} ${y0} L${x1} ${y1}" stroke="#fff" stroke-opacity="${fade.toFixed(3)}" stroke-width="${16 + index * 2.4}" stroke-linecap="round"/>`;
      })
      .join('');
  };
  const light = 0.42 + Math.sin(turn) * 0.06;
  return svg(
    1280,
    720,
    `<defs>${gradient('room', [
      [0, '#40304a'],
      [0.6, '#a4605a'],
      [1, '#d98e62'],
    ])}${gradient('wood', [
      [0, '#7a4a2c'],
      [1, '#43261a'],
    ])}${gradient(
      'cup',
      [
        [0, '#fff9ef'],
        [0.55, '#f0e2cf'],
        [1, '#c9ae93'],
      ],
      'x1="0" y1="0" x2="1" y2="0"',
    )}
    ${glow('sun', [
      [0, '#ffe2a8', 0.95],
      [1, '#ffe2a8', 0],
    ])}${blur('mist', 11)}${blur('shade', 16)}</defs>
    <rect width="1280" height="720" fill="url(#room)"/><circle cx="1010" cy="210" r="420" fill="url(#sun)" opacity="${light.toFixed(3)}"/>
    <g fill="#ffe9c4" opacity=".3"><rect x="900" y="60" width="120" height="150" rx="6"/><rect x="1034" y="60" width="120" height="150" rx="6"/><rect x="900" y="224" width="120" height="150" rx="6"/><rect x="1034" y="224" width="120" height="150" rx="6"/></g>
    <rect y="560" width="1280" height="160" fill="url(#wood)"/><rect y="560" width="1280" height="6" fill="#b5764a"/>
    <ellipse cx="600" cy="640" rx="330" ry="40" fill="#1c0e08" opacity=".55" filter="url(#shade)"/>
    <ellipse cx="600" cy="622" rx="290" ry="38" fill="#e9dccb"/><ellipse cx="600" cy="614" rx="290" ry="36" fill="#fbf4ea"/><ellipse cx="600" cy="612" rx="150" ry="18" fill="#b79c82" opacity=".6"/>
    <path d="M786 400 c120 -22 130 130 -34 128" fill="none" stroke="#e6d3bd" stroke-width="34"/>
    <path d="M400 360 h400 c0 150 -50 250 -130 256 h-140 c-80 -6 -130 -106 -130 -256 z" fill="url(#cup)"/>
    <path d="M424 430 c10 90 40 150 80 176" stroke="#fff" stroke-opacity=".7" stroke-width="12" fill="none" stroke-linecap="round"/>
    <g transform="translate(600 560) scale(.42)">${range(5)
      .map((i) => `<g transform="rotate(${-40 + i * 20})">${wheat(200, 0, '#c4553a', 20)}</g>`)
      .join('')}</g>
    <ellipse cx="600" cy="360" rx="200" ry="40" fill="#fffaf2"/><ellipse cx="600" cy="364" rx="182" ry="32" fill="#5a3018"/><ellipse cx="585" cy="362" rx="120" ry="17" fill="#8a5530"/>
    <g fill="none" filter="url(#mist)">${wisp(520, 0, 280)}${wisp(604, 2.1, 320)}${wisp(684, 4.2, 260)}</g>`,
  );
}
