# exercise: log
# score:    6/6
# why:      splits each line into words and looks at them from the end
def read_placement_log(text):
    table = []
    for words in map(str.split, text.splitlines()):
        if len(words) < 3 or not words[-1].startswith("/job:"):
            continue
        device = ":".join(words[-1].split(":")[-2:])
        if words[-3:-1] and words[-2] == "device":
            table.append(["", words[-4], device])
        else:
            table.append([words[-3][:-1], words[-2].strip("():"), device])
    return table
