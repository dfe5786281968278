// This file is empty but for this line: it lets setMaxStack be declared without a body.
