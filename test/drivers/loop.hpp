// What the programs in C++ share: they write what they checked themselves, and then answer programs.py.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Texts = std::vector<std::string>;

struct Refused {
    std::string sqlstate;
};

// Some in order of time, and not of bytes.
inline const Texts ids = {"00000000-0000-0000-0000-000000000000", "f0be0ffc-314a-bd53-7a50-013a65ca76d2",
                          "c232ab00-9414-11ec-b3c8-9f6bdeced846"};

inline std::string joined(const Texts& texts, char separator) {
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : std::string(1, separator)) + text;
    return all;
}

inline void own(const std::string& name, const Texts& got, const Texts& expected) {
    std::cout << "own\t" << name << '\t' << joined(got, ' ') << '\t' << joined(expected, ' ') << '\n';
}

// With a function of a driver, a kind of parameter, a statement and values.
template <class Rows>
void serve(const std::string& drivers, Rows rows) {
    std::cout << drivers << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        Texts words;
        std::istringstream text(line);
        for (std::string word; std::getline(text, word, '\t');)
            words.push_back(word);
        try {
            std::cout << joined(rows(words[0], words[1], words[2], Texts(words.begin() + 3, words.end())), '\t');
        } catch (const Refused& refused) {
            std::cout << "error\t" << refused.sqlstate;
        }
        std::cout << std::endl;
    }
}
